import { z } from 'zod'
import { blankable, calendarDate, line } from '@/lib/http/fields'
import { problemAs } from '@/lib/http/issues'
import { PLAN, TABLE_SHAPES } from './plan'

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

/** The place and look of a table on the plan of its zone; also in the service. */
export const planFields = {
  plan_x: z
    .int()
    .min(0)
    .max(PLAN.columns - 1)
    .nullable()
    .meta({ description: 'The column of its top left cell on the plan of its zone; null: not placed' }),
  plan_y: z
    .int()
    .min(0)
    .max(PLAN.rows - 1)
    .nullable()
    .meta({ description: 'The row of its top left cell; null: not placed' }),
  shape: z.enum(TABLE_SHAPES),
  turned: z.boolean().meta({ description: 'A rectangle that stands upright' }),
  joinable: z
    .boolean()
    .meta({ description: 'False: it is not proposed together with other tables; staff may join it' }),
}
const tableFields = {
  zone: blankable(line(100)),
  name: line(100),
  capacity: z.int().min(1).max(999).nullable().meta({ description: 'Guests it seats; null: not known' }),
  is_active: z.boolean().meta({ description: 'False: it is offered to nobody' }),
}

const tableSchema = z.object({ ...tableFields, ...planFields }).meta({ id: 'DiningTable' })
/** A table of a location, by the name that reservations carry. */
export type TableRecord = z.infer<typeof tableSchema>
export const tablesSchema = z.array(tableSchema).max(1000)

const tableChange = z
  .object({ ...tableFields, ...z.object(planFields).partial().shape })
  .refine(
    ({ plan_x, plan_y }) => typeof plan_x === typeof plan_y && (plan_x === null) === (plan_y === null),
    {
      ...problemAs('required', 'plan_x and plan_y go together'),
      path: ['plan_y'],
    },
  )
  .meta({ id: 'DiningTableChange' })
/** A table as it is saved: what is absent stays as it is, and is the default of a new table. */
export type TableChange = z.infer<typeof tableChange>
export const tablesChange = z.array(tableChange).max(1000)
