import type { Messages } from 'next-intl'
import { fieldOf } from '@/components/settings/send'
import type { Customer } from '@/lib/customers/schema'

export interface Choice {
  value: string
  label: string
}

/** The fields of the form that are one line or text each. */
const TEXT_FIELDS = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'birth_date',
  'company',
  'job_title',
  'address',
  'notes',
  'location_id',
] as const
export type TextField = (typeof TEXT_FIELDS)[number]
export type Editable = Pick<Customer, TextField | 'tags'>

/** What the form changes of a customer; an empty field clears. What it leaves alone is not sent: the sync may be at it. */
export function customerChanges(
  fields: FormData,
  tags: readonly string[],
  customer?: Editable,
): Partial<Editable> {
  const changes: Partial<Editable> = {}
  for (const field of TEXT_FIELDS) {
    const value = String(fields.get(field) ?? '').trim() || null
    if (value !== (customer?.[field] ?? null)) changes[field] = value
  }
  if (JSON.stringify(tags) !== JSON.stringify(customer?.tags ?? [])) changes.tags = [...tags]
  return changes
}

/** The basis a new customer's form states, for every channel and with that reason; nothing when it states none. */
export function chosenConsent(fields: FormData, reason: string): { consent: object } | null {
  const basis = String(fields.get('consent') ?? '')
  if (basis === '') return null
  const wish = { basis, reason }
  return { consent: { whatsapp: wish, sms: wish, email: wish } }
}

type Problem = keyof Messages['client']['customerForm']['problems']
const PROBLEMS: Record<string, Problem> = {
  email: 'email',
  phone: 'phone',
  birth_date: 'birthDate',
  location_id: 'location',
  tags: 'tags',
}

/** The field that a refusal is about and its sentence; null when it is about none. */
export function customerProblem({ status, error }: { status: number; error: string }) {
  if (status === 409) return { field: 'email', text: 'taken' as const }
  if (status !== 400) return null
  if (error.startsWith('A customer needs')) return { field: 'first_name', text: 'nameless' as const }
  const field = error.startsWith('email or phone') ? 'email' : (fieldOf(error) ?? '')
  const text = PROBLEMS[field]
  return text ? { field, text } : null
}
