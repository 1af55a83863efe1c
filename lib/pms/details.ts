import { z } from 'zod'
import { RESERVATION_STATUSES, type ReservationStatus } from '@/lib/reservations/status'
import { ROW_PROBLEMS } from './parse-row'

/** The two sets of field names of a row (docs/pms.md): `client_name, pax, state` and `customer_name, party_size, status`. */
const SHAPES = ['client_fields', 'booking_fields', 'mixed'] as const

const count = z.int().min(0)
const statuses: readonly (ReservationStatus | 'unknown')[] = [...RESERVATION_STATUSES, 'unknown']

/** What a PMS answered about one day of one restaurant, as the sync would read it: counts, and nothing about a guest. */
export const pmsDetailsSchema = z
  .object({
    venue: z.string().meta({ description: 'The restaurant, as the PMS calls it' }),
    day: z.string().meta({ description: 'Today, or the last of the seven days before that has a booking' }),
    shape: z.enum(SHAPES).nullable().meta({ description: 'The names of the fields; null without a row' }),
    pages: count,
    bookings: count.meta({ description: 'Of that day' }),
    by_status: z.record(z.enum(statuses), count),
    unknown_statuses: z
      .array(z.object({ value: z.string(), count }))
      .meta({ description: 'At most five, as the PMS writes them; their bookings become pending' }),
    covers: count.meta({ description: 'Without cancelled bookings and no-shows' }),
    without_contact: count.meta({ description: 'Bookings with neither an e-mail nor a phone that is valid' }),
    first: z.string().nullable().meta({ description: 'HH:mm' }),
    last: z.string().nullable(),
    unreadable: z
      .array(z.object({ problem: z.enum(ROW_PROBLEMS), count }))
      .meta({ description: 'Rows that cannot be read, by problem' }),
    other_days: count.meta({ description: 'Rows of days that were not asked for' }),
    repeated: count.meta({ description: 'Rows whose id came before' }),
  })
  .meta({ id: 'PmsDetails' })
export type PmsDetails = z.infer<typeof pmsDetailsSchema>
