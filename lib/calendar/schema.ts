import { z } from 'zod'
import { calendarDate, requiredText } from '@/lib/http/fields'
import { instant, instantInput } from '@/lib/http/instant'
import { problemAs } from '@/lib/http/issues'
import { anyId, anyText, loadedValues } from '@/lib/http/loaded'
import { SCOPES } from './scopes'

/** The years whose midnights are valid instants in every time zone. */
const day = calendarDate(1901, 2198)

const FREQUENCIES = ['daily', 'weekly', 'monthly', 'yearly'] as const

/** How an event repeats: every n days, weeks, months or years; until a date, a number of times, or without end. */
const repeatSchema = z
  .strictObject({
    frequency: z.enum(FREQUENCIES),
    every: z.int().min(1).max(99).default(1),
    weekdays: z
      .array(z.int().min(1).max(7))
      .min(1)
      .max(7)
      .overwrite((days) => [...new Set(days)].sort())
      .nullable()
      .default(null)
      .meta({ description: 'Weekly: 1 (Monday) to 7. The day of the event itself is always one of them' }),
    until: day.nullable().default(null).meta({ description: 'The last date on which it may occur' }),
    count: z
      .int()
      .min(1)
      .max(500)
      .nullable()
      .default(null)
      .meta({ description: 'How often, with the first' }),
  })
  .refine(({ until, count }) => until === null || count === null, {
    path: ['count'],
    ...problemAs('invalid', 'either until or count'),
  })
  .refine(({ frequency, weekdays }) => weekdays === null || frequency === 'weekly', {
    path: ['weekdays'],
    ...problemAs('invalid', 'only with weekly'),
  })
  .meta({
    id: 'NewRepeat',
    description:
      'Each occurrence is an event of its own, 400 days ahead; in a shorter month the 31st is its last day. Local times stay when the clocks change.',
  })
const shownRepeat = z
  .strictObject({
    frequency: z.enum(FREQUENCIES),
    every: z.int(),
    weekdays: z.array(z.int()).nullable(),
    until: z.string().max(10).nullable(),
    count: z.int().nullable(),
  })
  .meta({ id: 'Repeat' })
export type Repeat = z.output<typeof shownRepeat>

const days = {
  starts_on: day.nullish().meta({
    description:
      'The first day of an all-day event, in place of event_datetime and ends_at: they are the midnights around its days, in the time zone of its location, else of the group',
  }),
  ends_on: day.nullish().meta({ description: 'Its last day; the first when absent' }),
}

const fields = {
  title: requiredText(200),
  event_datetime: instantInput,
  description: requiredText(5000).nullish(),
  ends_at: instantInput.nullish(),
  location_id: z.guid().nullish(),
  customer_id: z.guid().nullish(),
  assignee_id: z.guid().nullish(),
  reminder_minutes: z.int().min(0).max(10_080).optional(),
}

const repeat = repeatSchema.nullish().meta({ description: 'Null: it does not repeat' })

/** A new event: with a time, or with days. */
export const newEventSchema = z
  .strictObject({ ...fields, event_datetime: instantInput.optional(), ...days, repeat })
  .refine(({ event_datetime, starts_on }) => event_datetime !== undefined || typeof starts_on === 'string', {
    path: ['event_datetime'],
    ...problemAs('required', 'event_datetime or starts_on'),
  })
/** Changes of an event; absent fields stay as they are. */
export const eventChangesSchema = z
  .strictObject({
    ...fields,
    ...days,
    repeat,
    loaded: loadedValues({
      title: z.string().max(20_000),
      event_datetime: instantInput,
      description: anyText,
      ends_at: instantInput.nullable(),
      starts_on: day.nullable(),
      ends_on: day.nullable(),
      repeat: shownRepeat.nullable(),
      location_id: anyId,
      customer_id: anyId,
      assignee_id: anyId,
      reminder_minutes: z.int32(),
    }),
  })
  .partial()
export type EventChanges = z.infer<typeof eventChangesSchema>

/** The query of a change or deletion. */
export const scopeQuery = z.strictObject({
  scope: z.enum(SCOPES).default('one').meta({
    description: 'Of an event that repeats: only this one, this and the following, or the whole series',
  }),
})

export const eventSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    event_datetime: instant,
    ends_at: instant.nullable(),
    location_id: z.string().nullable(),
    customer_id: z.string().nullable(),
    assignee_id: z.string().nullable(),
    assignee_name: z.string().nullable(),
    notification_sent: z.boolean(),
    reminder_minutes: z.int(),
    reminder_sent: z.boolean(),
    created_by: z.string().nullable(),
    created_at: instant,
    starts_on: z.string().nullable().meta({ description: 'All-day events only, as ends_on' }),
    ends_on: z.string().nullable(),
    series_id: z.string().nullable().meta({ description: 'The same for all events of a series' }),
    repeat: shownRepeat.nullable(),
  })
  .meta({ id: 'CalendarEvent' })
/** A calendar event in the API; instants in UTC, the reminder in minutes before the start. */
export type CalendarEvent = z.infer<typeof eventSchema>
