import { z } from 'zod'
import { blankable, line } from '@/lib/http/fields'

/** Postgres checks the name once more, against its own list. */
function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const fields = {
  name: line(120),
  city: blankable(line(120)),
  address: blankable(line(300)),
  brand_id: z.uuid().nullable(),
  pms_id: blankable(line(120)),
  timezone: z.string().max(64).refine(isTimezone, 'unknown time zone').meta({ example: 'Europe/Madrid' }),
  average_spend_per_guest: z.number().min(0).max(10_000).nullable().meta({
    description: 'EUR; stands in for the amount of a visit that has none',
  }),
  count_unmarked_visits: z.boolean().meta({
    description:
      'Whether a confirmed reservation that was never marked counts as a visit once its service is over',
  }),
  is_active: z.boolean(),
}

export const newLocationSchema = z.strictObject(fields).partial().required({ name: true })
export const locationChangesSchema = z.strictObject(fields).partial()

export const LOCATION_COLUMNS =
  'id, name, city, address, brand_id, pms_id, timezone, average_spend_per_guest, ' +
  'count_unmarked_visits, is_active, known_until'
