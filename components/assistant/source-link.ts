import type { Source } from '@/lib/assistant/schema'

const WHEN = /^(\d{4}-\d{2}-\d{2}) (\d{2}):\d{2}$/
const SERVICE_ENDS_HOUR = 6
const DAY_MS = 86_400_000

/** Where a source leads, if anywhere, and the date (YYYY-MM-DD) its label holds. */
export interface SourceLink {
  href: string | null
  label: string
  date: string | null
}

/** A customer leads to their page, a reservation to its service day: before 06:00 that is the day before. */
export function sourceLink({ type, id, label }: Source): SourceLink {
  if (type === 'customer') return { href: `/customers/${encodeURIComponent(id)}`, label, date: null }
  const when = type === 'reservation' ? label.split(' · ').map((part) => WHEN.exec(part)) : []
  const [, date, hour] = when.findLast((match) => match !== null) ?? []
  const midnight = date ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  if (!date || Number.isNaN(midnight)) return { href: null, label, date: null }
  const day = new Date(midnight - (Number(hour) < SERVICE_ENDS_HOUR ? DAY_MS : 0))
  return { href: `/reservations?date=${day.toISOString().slice(0, 10)}`, label, date }
}
