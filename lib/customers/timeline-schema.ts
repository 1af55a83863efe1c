import { z } from 'zod'
import { MEDIA_KINDS } from '@/lib/conversations/media'
import { feedbackSchema } from '@/lib/feedback/schema'
import { instant, storedInstant } from '@/lib/http/instant'
import { CHANNELS, MESSAGE_KINDS, MESSAGE_STATUSES, SUPPRESSION_REASONS } from '@/lib/messaging/schema'
import { RESERVATION_STATUSES } from '@/lib/reservations/status'
import { ticketSchema } from '@/lib/tickets/schema'
import { CONSENT_BASES } from './consent'

const nullable = z.string().nullable()
/** The values before and after a change of consent. */
const standing = z
  .object({
    basis: z.enum(CONSENT_BASES).optional(),
    opted_out: z.boolean().optional(),
    source: z.string().nullable().optional(),
  })
  .nullish()
const base = { id: z.string(), at: instant }

/** One event of a customer's timeline; a reservation keeps its local date and time. */
export const timelineEventSchema = z.discriminatedUnion('kind', [
  z.object({
    ...base,
    kind: z.literal('reservation'),
    details: z.object({
      date: z.string(),
      time: z.string(),
      location: z.string(),
      party_size: z.number(),
      status: z.enum(RESERVATION_STATUSES),
      notes: nullable,
      zone_name: nullable,
      table_name: nullable,
      total_amount: z.coerce.number().nullable(),
      visited: z.boolean().nullable(),
      estimated_amount: z.coerce.number().nullable().meta({
        description: 'EUR of a visit without an amount: guests × the location’s average spend',
      }),
    }),
  }),
  z.object({
    ...base,
    kind: z.literal('message'),
    details: z.object({
      channel: z.enum(CHANNELS),
      status: z.enum(MESSAGE_STATUSES),
      reason: nullable,
      kind: z.enum(MESSAGE_KINDS),
      simulated: z.boolean(),
      automation: nullable,
      subject: nullable,
      opened_at: nullable.meta({ description: 'Of an e-mail: when a person first opened or clicked it' }),
      clicked_at: nullable.meta({ description: 'When a person first clicked a link in it' }),
      suppression: z
        .enum(SUPPRESSION_REASONS)
        .nullable()
        .meta({ description: 'Why the address is suppressed, when it was not sent for that' }),
      filled_by: z
        .object({ name: nullable, at: storedInstant })
        .nullable()
        .meta({ description: 'The message that fills the frequency cap, as far as the caller may see it' }),
      waits_until: storedInstant.nullable().meta({ description: 'It waits for this end of the quiet hours' }),
    }),
  }),
  z.object({
    ...base,
    kind: z.literal('ticket'),
    details: ticketSchema.pick({ number: true, subject: true, status: true, priority: true }),
  }),
  z.object({
    ...base,
    kind: z.literal('feedback'),
    details: feedbackSchema.pick({ score: true, words: true, location: true, ticket_id: true }),
  }),
  z.object({
    ...base,
    kind: z.literal('conversation'),
    details: z.object({
      conversation_id: z.string(),
      channel: z.enum(CHANNELS),
      direction: z.enum(['in', 'out']),
      text: nullable,
      media: z.enum(MEDIA_KINDS).nullable(),
      sent_by: nullable,
    }),
  }),
  z.object({
    ...base,
    kind: z.literal('change'),
    details: z.object({
      action: z.string(),
      fields: z.array(z.string()).nullable(),
      before: standing,
      after: standing,
      actor: nullable,
    }),
  }),
])
export type TimelineEvent = z.infer<typeof timelineEventSchema>
/** The kinds of events in a timeline. */
export type TimelineKind = TimelineEvent['kind']
export const TIMELINE_KINDS = timelineEventSchema.options.map(({ shape }) => shape.kind.value)
/** The event of one kind. */
export type TimelineOf<K extends TimelineKind> = Extract<TimelineEvent, { kind: K }>
