import { z } from 'zod'
import { brandSchema } from '@/lib/brands/schema'
import { blankable, line, storedTime, timeOfDay } from '@/lib/http/fields'
import { reviewUrls } from './review-urls'
import { timezone } from './timezone'

/** How long parties usually stay, in minutes, by the largest party size that it is for. */
export const stayMinutes = z
  .record(z.string().regex(/^[1-9]\d{0,2}$/), z.int().min(15).max(720))
  .refine((stays) => Object.keys(stays).length >= 1 && Object.keys(stays).length <= 20, {
    message: '1 to 20 sizes',
  })
  .meta({
    description:
      'Minutes by the largest party size they are for, as {"2": 90, "4": 120, "99": 150}, which null means',
  })

/** A location as the API returns it. */
export const locationSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    city: z.string().nullable(),
    address: z.string().nullable(),
    brand_id: z.string().nullable(),
    pms_id: z.string().nullable(),
    timezone: z.string(),
    average_spend_per_guest: z.coerce.number().nullable(),
    count_unmarked_visits: z
      .boolean()
      .meta({ description: 'Whether confirmed reservations that were never marked count as visits' }),
    quiet_from: storedTime.nullable().meta({
      description: 'Quiet hours of its own: marketing messages wait from here …; null: the group’s apply',
    }),
    quiet_until: storedTime.nullable().meta({ description: '… to here, in its time zone' }),
    is_active: z.boolean(),
    stay_minutes: stayMinutes.nullable(),
    review_urls: z.array(z.string()),
    known_until: z.string().nullable().meta({
      description:
        'Last day the PMS has been asked for; after it there is no data. Null: none yet, or without `pms_id`, where every day is known',
    }),
  })
  .meta({ id: 'Location' })
export type LocationRecord = z.infer<typeof locationSchema>

/** A location with its brand, as `?view=assignments` returns it. */
export const assignedLocationSchema = locationSchema
  .extend({ brand: brandSchema.omit({ postal_address: true }).nullable() })
  .meta({ id: 'AssignedLocation' })

const fields = {
  name: line(120),
  city: blankable(line(120)),
  address: blankable(line(300)),
  brand_id: z.guid().nullable(),
  pms_id: blankable(line(120)),
  timezone,
  average_spend_per_guest: z.number().min(0).max(10_000).nullable().meta({
    description: 'EUR; stands in for the amount of a visit that has none',
  }),
  count_unmarked_visits: z.boolean().meta({
    description:
      'Whether a confirmed reservation that was never marked counts as a visit once its service is over',
  }),
  quiet_from: timeOfDay.nullable().meta({
    description: 'Together with quiet_until: quiet hours of its own; both null: the group’s apply',
  }),
  quiet_until: timeOfDay.nullable(),
  is_active: z.boolean(),
  stay_minutes: stayMinutes.nullable(),
  review_urls: reviewUrls,
}

/** Quiet hours have two ends. */
const bothEnds = ({ quiet_from, quiet_until }: { quiet_from?: string | null; quiet_until?: string | null }) =>
  (quiet_from === undefined) === (quiet_until === undefined) &&
  (quiet_from === null) === (quiet_until === null)
const needsBoth = { path: ['quiet_until'], message: 'Give both ends, or null for both' }

export const newLocationSchema = z
  .strictObject(fields)
  .partial()
  .required({ name: true })
  .refine(bothEnds, needsBoth)
export const locationChangesSchema = z.strictObject(fields).partial().refine(bothEnds, needsBoth)

export const LOCATION_COLUMNS =
  'id, name, city, address, brand_id, pms_id, timezone, average_spend_per_guest, ' +
  'count_unmarked_visits, quiet_from, quiet_until, is_active, stay_minutes, review_urls, known_until'
