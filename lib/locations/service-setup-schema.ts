import { z } from 'zod'
import { blankable, calendarDate, line } from '@/lib/http/fields'
import { problemAs } from '@/lib/http/issues'

/** A local time of day, `HH:MM`; Postgres adds the seconds. */
const CLOCK = /^([01]\d|2[0-3]):([0-5]\d)(:00)?$/
const clock = z
  .string()
  .regex(CLOCK)
  .overwrite((time) => time.slice(0, 5))

/** Minutes after 06:00, the start of a service day: 00:30 comes after 23:30. NaN for an invalid time. */
function minuteOfDay(time: string): number {
  const [, hours, minutes] = CLOCK.exec(time) ?? []
  return ((Number(hours) + 18) % 24) * 60 + Number(minutes)
}

const shiftSchema = z
  .object({
    name: line(60),
    weekdays: z
      .array(z.int().min(1).max(7))
      .min(1)
      .max(7)
      .overwrite((days) => [...new Set(days)].sort())
      .meta({ description: 'ISO: 1 is Monday' }),
    opens: clock,
    closes: clock.meta({ description: 'Before 06:00: of the night after the service day' }),
    capacity: z.int().min(1).max(10_000).nullable().meta({ description: 'Covers; null: not known' }),
  })
  .refine(({ opens, closes }) => !(minuteOfDay(opens) >= minuteOfDay(closes)), {
    ...problemAs('ends_before_start', 'not after it opens, in a service day that begins at 06:00'),
    path: ['closes'],
  })
  .meta({ id: 'Shift' })

export const hoursSchema = z
  .strictObject({
    shifts: z.array(shiftSchema).max(20),
    closed_days: z.array(z.object({ day: calendarDate(1900, 2199), name: blankable(line(200)) })).max(2000),
  })
  .meta({ id: 'Hours' })
/** What replaces them. */
export const hoursChange = hoursSchema.extend({
  loaded_days: z
    .array(calendarDate(1900, 2199))
    .max(2000)
    .optional()
    .meta({ description: 'The closed days that the person saw: a day closed or opened since stays so' }),
})
export type HoursChange = z.infer<typeof hoursChange>
/** The shifts and closed days of a location. */
export type Hours = z.infer<typeof hoursSchema>

const tableSchema = z
  .object({
    zone: blankable(line(100)),
    name: line(100),
    capacity: z.int().min(1).max(999).nullable().meta({ description: 'Guests it seats; null: not known' }),
    is_active: z.boolean().meta({ description: 'False: it is offered to nobody' }),
  })
  .meta({ id: 'DiningTable' })
/** A table of a location, by the name that reservations carry. */
export type TableRecord = z.infer<typeof tableSchema>

export const tablesSchema = z.array(tableSchema).max(1000)
