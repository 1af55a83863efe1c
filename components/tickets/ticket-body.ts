import type { Messages } from 'next-intl'
import { fieldOf } from '@/components/settings/send'

type Problems = Messages['client']['tickets']['problems']

/** What the form's fields hold, as the API takes it; fields the form does not show are left out. */
export function ticketBody(fields: FormData) {
  const optional = (name: string) =>
    fields.has(name) ? { [name]: String(fields.get(name)).trim() || null } : {}
  return {
    subject: String(fields.get('subject') ?? '').trim(),
    ...optional('description'),
    ...(fields.has('priority') ? { priority: String(fields.get('priority')) } : {}),
    ...optional('location_id'),
    ...optional('assignee_id'),
    ...optional('customer_id'),
  }
}

/** The sentence for what the API refuses about a ticket; null when only the status says something. */
export function ticketProblem({ error }: { error: string }): keyof Problems | null {
  const field = fieldOf(error)
  return field === 'subject' ||
    field === 'description' ||
    field === 'location_id' ||
    field === 'assignee_id' ||
    field === 'customer_id'
    ? field
    : null
}
