import { z } from 'zod'
import { allergiesField, factSchema } from '@/lib/customers/facts-schema'
import { instant } from '@/lib/http/instant'
import { problemAs } from '@/lib/http/issues'
import { KNOWN } from '@/lib/locations/known-days'
import { RESERVATION_STATUSES } from '@/lib/reservations/status'

const period = { from: z.string(), to: z.string() }
const figures = {
  booked: z.int().meta({ description: 'All reservations, also cancelled ones and no-shows' }),
  reservations: z.int().meta({ description: 'Reservations that were neither cancelled nor no-shows' }),
  covers: z.int().meta({ description: 'Guests of what was neither cancelled nor a no-show' }),
  completed: z.int(),
  visits: z.int().meta({
    description:
      'Reservations whose guests came: completed, seated, or confirmed and never marked, once the service is over',
  }),
  cancelled: z.int(),
  no_shows: z.int(),
  revenue: z.number().meta({
    description: 'EUR of the visits; without an amount, guests × the location’s average spend',
  }),
  estimated_revenue: z
    .number()
    .meta({ description: 'The part of `revenue` that is guests × average spend, for want of an amount' }),
}
export const figuresSchema = z.object(figures)
/** The figures of a period. */
export type Figures = z.infer<typeof figuresSchema>

const known = z.enum(KNOWN).meta({
  description:
    'Whether the PMS has been asked for all, some or none of it (a location without `pms_id` is always known)',
})
const nullable = {
  booked: figures.booked.nullable(),
  reservations: figures.reservations.nullable().meta({
    description:
      'All figures are null, not 0, where there are no data: `known` is `none`, and nothing was booked by hand',
  }),
  covers: figures.covers.nullable(),
  completed: figures.completed.nullable(),
  visits: figures.visits.nullable(),
  cancelled: figures.cancelled.nullable(),
  no_shows: figures.no_shows.nullable(),
  revenue: figures.revenue.nullable(),
  estimated_revenue: figures.estimated_revenue.nullable(),
}
const knownFigures = { known, ...nullable }
/** Figures, each null where unknown. */
export type KnownFigures = { known: z.infer<typeof known> } & (Figures | Record<keyof Figures, null>)

export const overviewSchema = z
  .object({
    ...period,
    totals: z.object(knownFigures),
    previous: z.object({ ...period, ...knownFigures }),
    days: z.array(z.object({ date: z.string(), ...knownFigures })),
    locations: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        known_until: z.string().nullable().meta({ description: 'Last day the PMS has been asked for' }),
        ...knownFigures,
      }),
    ),
    customers: z.object({
      total: z.int(),
      by_tier: z.array(z.object({ id: z.string(), name: z.string(), customers: z.int() })),
    }),
  })
  .meta({ id: 'Overview' })
/** The figures of a period, its days and locations, and of the equally long period before. */
export type Overview = z.infer<typeof overviewSchema>

export const storedGuestSchema = z.object({
  reservation_id: z.string(),
  location_id: z.string(),
  location_name: z.string(),
  customer_id: z.string(),
  customer_name: z.string().nullable(),
  reservation_time: z.string().overwrite((time) => time.slice(0, 5)),
  party_size: z.number(),
  status: z.enum(RESERVATION_STATUSES),
  tier: z.string().nullable(),
  vip: z.boolean(),
  birthday_in: z
    .number()
    .nullable()
    .meta({ description: 'Days until the birthday, -3 to 3; null: further away' }),
  allergy: z.boolean(),
  facts: z.array(factSchema).meta({ description: 'What staff recorded' }),
  notes: z.string().nullable(),
  first_visit: z.boolean(),
  last_visit_at: instant.nullable(),
  away: z.boolean(),
  no_shows: z.number(),
})
export const guestToKnowSchema = storedGuestSchema.extend({ allergies: allergiesField })
/** A customer expected today, with the facts that staff should know. */
export type GuestToKnow = z.infer<typeof guestToKnowSchema>

// Postgres accepts many more years than reservations have; z.iso.date also accepts the year 0000.
const date = z.iso
  .date()
  .refine((value) => value >= '1900-01-01' && value < '2200-01-01', problemAs('out_of_range', 'out of range'))
  .optional()

export const overviewQuerySchema = z.object({
  from: date.meta({ description: 'First service day; default: six days before `to`' }),
  to: date.meta({ description: 'Last service day; default: the current one' }),
  location_id: z.guid().optional(),
})
