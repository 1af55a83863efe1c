import { z } from 'zod'
import { closingSchema } from '@/lib/closings/schema'
import { allergiesField, factSchema, suggestedFacts } from '@/lib/customers/facts-schema'
import { calendarDate, line, optionalText } from '@/lib/http/fields'
import { instant } from '@/lib/http/instant'
import { problemAs } from '@/lib/http/issues'
import { stayMinutes } from '@/lib/locations/schema'
import { planFields } from '@/lib/locations/service-setup-schema'
import { QUESTIONS } from '@/lib/reservations/questions'
import { riskSchema } from '@/lib/reservations/risk-schema'
import { confirmField, tablesField, takenBySchema } from '@/lib/reservations/schema'
import { RESERVATION_STATUSES } from '@/lib/reservations/status'
import { waitingFields, waitingSchema } from '@/lib/waitlist/schema'

/** The day of a service, in the API and in the page's address. */
export const serviceDate = calendarDate(1900, 2199)

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

/** A party of the service: a reservation or a walk-in, with the customer's facts and notes. */
export const partySchema = z
  .object({
    id: z.string(),
    time: clock,
    shift_id: z.string().nullable(),
    name: z.string().nullable(),
    phone: z.string().nullable(),
    readable_phone: z.string().nullable(),
    party_size: z.int(),
    status: z.enum(RESERVATION_STATUSES),
    table_name: z.string().nullable(),
    tables: z
      .array(z.string())
      .meta({ description: 'The tables of `table_name`, which joins them (`S4+S5`)' }),
    joined_to: z.string().nullable().meta({
      description:
        'The party to which it and others are joined: those of them that come that day sit together, and with that one when it comes',
    }),
    zone_name: z.string().nullable(),
    arrived_at: instant.nullable(),
    seated_at: instant.nullable(),
    finished_at: instant.nullable(),
    late_minutes: z
      .int()
      .nullable()
      .meta({ description: 'The delay in minutes that the party announced; a new time ends it' }),
    walk_in: z.boolean(),
    from_pms: z.boolean().meta({
      description: 'A reservation of the PMS: what staff change stays until the PMS sends another value',
    }),
    notes: z.string().nullable(),
    customer_id: z
      .string()
      .nullable()
      .meta({ description: 'Null also for callers without canUseGuestCards' }),
    customer_notes: z.string().nullable(),
    tags: z.array(z.string()),
    tier: z.string().nullable(),
    vip: z.boolean(),
    birthday_in: z
      .int()
      .nullable()
      .meta({ description: 'Days until the birthday, -3 to 3; null: further away' }),
    first_visit: z.boolean(),
    allergies: allergiesField,
    facts: z.array(factSchema).meta({ description: 'What staff recorded' }),
    suggested: suggestedFacts,
    no_shows: z.int(),
    usual_table: z.string().nullable().meta({
      description:
        'Where the guest of an expected party has sat most in two years; null also for callers without canUseGuestCards',
    }),
    risk: riskSchema.nullable().meta({ description: 'Of a reservation that is expected; else null' }),
  })
  .meta({ id: 'Party' })
export type Party = z.infer<typeof partySchema>

export const serviceSchema = z
  .object({
    location: z.object({
      id: z.string(),
      name: z.string(),
      timezone: z.string(),
      stay_minutes: stayMinutes.nullable(),
    }),
    day: z.string(),
    at: instant.meta({ description: 'When the list was read' }),
    closed: z
      .object({ name: z.string().nullable() })
      .nullable()
      .meta({ description: 'The reason, when the whole day is closed' }),
    closings: z
      .array(closingSchema)
      .meta({ description: 'What is closed, of the whole day or a part of it' }),
    shifts: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        opens: clock,
        closes: clock,
        capacity: z.int().nullable(),
      }),
    ),
    tables: z.array(
      z.object({
        name: z.string(),
        zone: z.string().nullable(),
        capacity: z.int().nullable(),
        ...planFields,
      }),
    ),
    waiting: z.array(waitingSchema).meta({ description: 'Who waits without a reservation' }),
    parties: z.array(partySchema),
  })
  .meta({ id: 'Service' })
/** A service day of a location. */
export type Service = z.infer<typeof serviceSchema>

const seen = z.enum(RESERVATION_STATUSES).meta({
  description:
    'The status the person saw; when it has changed meanwhile, the tap is a conflict and does nothing',
})
const tap = {
  key: z.guid().meta({ description: 'Made by the client; a tap that comes again with its key counts once' }),
  confirm: confirmField,
  at: z.iso.datetime().optional().meta({
    description: 'When it was tapped; later than now counts as now, more than a day ago as a day ago',
  }),
}
/** The key of a walk-in that was tapped without a connection and has no id yet. */
const target = {
  reservation_id: z.guid().optional(),
  of: z.guid().optional().meta({ description: 'In place of `reservation_id`: the key of the walk-in' }),
}
const place = { tables: tablesField, table_name: line(100).optional() }
/** The states to which a party can be set back, at any time. */
const BACK_TO = ['expected', 'arrived', 'seated'] as const
export type BackTo = (typeof BACK_TO)[number]

const waiting = {
  waiting_id: z.guid().meta({ description: 'The id of the party, or the key of its `wait_join`' }),
}

export const tapSchema = z.discriminatedUnion('action', [
  z.strictObject({ ...tap, ...target, action: z.literal('arrive'), seen: seen.optional() }),
  z.strictObject({
    ...tap,
    ...target,
    action: z.literal('seat'),
    seen: seen.optional(),
    ...place,
  }),
  z
    .strictObject({
      ...tap,
      ...target,
      action: z.literal('assign'),
      seen: seen.optional(),
      tables: tablesField,
      table_name: line(100)
        .nullable()
        .optional()
        .meta({ description: 'Null, as no `tables`: no table. Who sits goes on sitting' }),
    })
    .refine(({ tables, table_name }) => tables !== undefined || table_name !== undefined, {
      path: ['tables'],
      ...problemAs('required', 'Give the tables'),
    }),
  z.strictObject({
    ...tap,
    ...target,
    action: z.literal('change'),
    seen: seen.optional(),
    party_size: z.int().min(1).max(500).optional(),
    ...place,
    time: clock.optional().meta({ description: 'Local time of the same night: 00:45 is after 23:45' }),
    late_minutes: z.int().min(1).max(240).nullable().optional(),
    notes: optionalText(5000).optional(),
    was: z.string().max(5000).nullable().optional().meta({
      description: 'The notes that the person saw: when others changed them meanwhile, the tap is a conflict',
    }),
  }),
  z.strictObject({ ...tap, ...target, action: z.literal('no_show'), seen: seen.optional() }),
  z.strictObject({ ...tap, ...target, action: z.literal('cancel'), seen: seen.optional() }),
  z.strictObject({ ...tap, ...target, action: z.literal('finish'), seen: seen.optional() }),
  z.strictObject({
    ...tap,
    ...target,
    action: z.literal('set_back'),
    seen: seen.optional(),
    to: z.enum(BACK_TO).meta({
      description:
        'A former state: expected (confirmed, not here yet), arrived (waits for its table), or seated (as before it finished)',
    }),
  }),
  z.strictObject({
    ...tap,
    ...target,
    action: z.literal('join'),
    seen: seen.optional(),
    ...place,
    to: z.guid().nullable().meta({
      description:
        'A party of the same service day, by its id or the key of its walk-in: both, and those who sit with one of them, sit together at the tables given; each keeps its covers, guest and state. Without tables each keeps its own. Null: the party is on its own again, at the tables given or at those it has. All is saved and undone as one',
    }),
  }),
  z.strictObject({ ...tap, ...target, action: z.literal('undo'), undoes: z.guid() }),
  z.strictObject({
    ...tap,
    action: z.literal('walk_in'),
    party_size: z.int().min(1).max(100),
    ...place,
    customer_name: line(200).optional(),
  }),
  z.strictObject({ ...tap, ...waitingFields, action: z.literal('wait_join') }),
  z.strictObject({
    ...tap,
    ...waiting,
    action: z.literal('wait_seat'),
    table_name: line(100).optional(),
  }),
  z.strictObject({ ...tap, ...waiting, action: z.literal('wait_leave') }),
  z.strictObject({ ...tap, ...waiting, action: z.literal('wait_return') }),
])
export type Tap = z.infer<typeof tapSchema>
/** Which tables a tap gives to a party: tables of the location, or a typed name. */
export type Place = Pick<Extract<Tap, { action: 'seat' }>, 'tables' | 'table_name'>
/** A tap of the waitlist. */
export type WaitingTap = Extract<Tap, { action: `wait_${string}` }>

export const tapAnswerSchema = z.object({
  key: z.string(),
  outcome: z.string().meta({
    description:
      'saved, repeated (it counted before), conflict (the reservation has changed), not_found, malformed, waitlist_full (200 wait already), or a question (`table_taken`, `table_too_small` …): send the tap again with `confirm`',
  }),
  reservation_id: z.string().optional(),
  questions: z.array(z.enum(QUESTIONS)).optional(),
  current: takenBySchema.optional(),
})
export type TapAnswer = z.infer<typeof tapAnswerSchema>

/** A reservation of any day that a search finds. Without contacts: floor staff find what they typed, and learn no other. */
export const foundReservationSchema = z
  .object({
    id: z.string(),
    location_id: z.string(),
    location_name: z.string(),
    service_date: z.string(),
    days: z.int().meta({ description: 'From the current service of its location: 0 today, 1 tomorrow' }),
    time: clock,
    name: z.string().nullable(),
    party_size: z.int(),
    status: z.enum(RESERVATION_STATUSES),
    table_name: z.string().nullable(),
    tables: z
      .array(z.string())
      .meta({ description: 'The tables of `table_name`, which joins them (`S4+S5`)' }),
    allergies: allergiesField,
  })
  .meta({ id: 'FoundReservation' })
export type FoundReservation = z.infer<typeof foundReservationSchema>
