import type { Messages } from 'next-intl'
import { fieldOf } from '@/components/settings/send'
import type { Location } from '@/lib/organization/schema'

export type { Location }

/** The body that saves what the form holds; an empty field clears. */
export function locationBody(fields: FormData) {
  const text = (name: string) => String(fields.get(name) ?? '').trim()
  const spend = text('average_spend_per_guest').replace(',', '.')
  return {
    name: text('name'),
    city: text('city') || null,
    address: text('address') || null,
    brand_id: text('brand_id') || null,
    pms_id: text('pms_id') || null,
    timezone: text('timezone'),
    // The API says at the field that a text is no number.
    average_spend_per_guest: spend === '' ? null : Number.isNaN(Number(spend)) ? spend : Number(spend),
    count_unmarked_visits: fields.get('count_unmarked_visits') !== null,
    is_active: fields.get('is_active') !== null,
  }
}

type Text = keyof Messages['client']['locations']['problems']
const TEXTS: Record<string, Text> = {
  name: 'name',
  brand_id: 'brand',
  timezone: 'timezone',
  average_spend_per_guest: 'averageSpend',
}

/** The field that a refusal is about and its sentence; null when it is about none. */
export function locationProblem({ status, error }: { status: number; error: string }) {
  if (status === 409) return { field: 'name', text: 'taken' as const }
  const field = fieldOf(error) ?? ''
  const text = TEXTS[field]
  return text ? { field, text } : null
}
