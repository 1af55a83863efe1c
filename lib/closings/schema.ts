import { z } from 'zod'
import { blankable, calendarDate, line } from '@/lib/http/fields'
import { toldReservationSchema } from '@/lib/reservations/schema'

export const closingSchema = z
  .object({
    id: z.string(),
    day: z.string().meta({ description: 'The service day' }),
    shift: z.string().nullable().meta({ description: 'The name of the shift; null: the whole day' }),
    zone: z.string().nullable().meta({ description: 'Null: all zones' }),
    reason: z.string().nullable(),
  })
  .meta({ id: 'Closing' })
/** A service day on which a location, or a shift or zone of it, does not open. */
export type Closing = z.infer<typeof closingSchema>

/** A closing in a list of several locations. */
export const placedClosingSchema = closingSchema.extend({ location_id: z.string() })
export type PlacedClosing = z.infer<typeof placedClosingSchema>

export const newClosingSchema = z.strictObject({
  day: calendarDate(1900, 2199),
  shift: blankable(line(60)).optional(),
  zone: blankable(line(100)).optional(),
  reason: line(200),
})
export type NewClosing = z.infer<typeof newClosingSchema>

/** The answer to a new closing: who has booked into it already. */
export const closedSchema = z.object({
  data: closingSchema,
  reservations: z.array(toldReservationSchema).meta({ description: 'Those it concerns, in order of time' }),
})
export type Closed = z.infer<typeof closedSchema>
