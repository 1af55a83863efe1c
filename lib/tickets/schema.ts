import { z } from 'zod'
import { requiredText } from '@/lib/http/fields'
import { instant } from '@/lib/http/instant'
import { anyId, anyText, loadedValues } from '@/lib/http/loaded'

export const TICKET_STATUSES = ['open', 'in_progress', 'waiting', 'resolved', 'closed'] as const
export const TICKET_PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const

const fields = {
  subject: requiredText(200),
  description: requiredText(10_000).nullish(),
  status: z.enum(TICKET_STATUSES).optional(),
  priority: z.enum(TICKET_PRIORITIES).optional(),
  location_id: z.guid().nullish(),
  customer_id: z.guid().nullish(),
  assignee_id: z.guid().nullish(),
}

/** A new ticket; its status is `open` and its priority `medium` by default. */
export const newTicketSchema = z.strictObject(fields)
/** Changes of a ticket; absent fields stay as they are. */
export const ticketChangesSchema = z
  .strictObject({
    ...fields,
    loaded: loadedValues({
      subject: z.string().max(20_000),
      description: anyText,
      status: anyText,
      priority: anyText,
      location_id: anyId,
      customer_id: anyId,
      assignee_id: anyId,
    }),
  })
  .partial()
export type TicketChanges = z.infer<typeof ticketChangesSchema>

export const ticketSchema = z
  .object({
    id: z.string(),
    number: z.int(),
    subject: z.string(),
    description: z.string().nullable(),
    status: z.enum(TICKET_STATUSES),
    priority: z.enum(TICKET_PRIORITIES),
    sla_due_at: instant,
    location_id: z.string().nullable(),
    customer_id: z.string().nullable(),
    assignee_id: z.string().nullable(),
    assignee_name: z.string().nullable(),
    requester_id: z.string().nullable(),
    requester_name: z.string().nullable(),
    notified_at: instant.nullable(),
    sla_reminded_at: instant.nullable(),
    resolved_at: instant.nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Ticket' })
/** A ticket in the API; `sla_due_at` is its deadline by priority. Instants in UTC. */
export type Ticket = z.infer<typeof ticketSchema>

export const newCommentSchema = z.strictObject({ body: requiredText(5000) })

export const COMMENT_COLUMNS = 'id, ticket_id, author_id, author_name, body, created_at'
export const commentSchema = z
  .object({
    id: z.string(),
    ticket_id: z.string(),
    author_id: z.string().nullable(),
    author_name: z.string(),
    body: z.string(),
    created_at: instant,
  })
  .meta({ id: 'TicketComment' })
/** The fields of a ticket with a recorded history. */
const TICKET_FIELDS = ['status', 'priority', 'due', 'assignee', 'location', 'subject'] as const

export const activitySchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('comment'),
      id: z.string(),
      at: instant,
      author_name: z.string(),
      details: z.object({ body: z.string() }),
    }),
    z.object({
      kind: z.literal('change'),
      id: z.string(),
      at: instant,
      author_name: z.string().nullable().meta({ description: 'null: nobody of the team did it' }),
      details: z.object({
        field: z.enum(TICKET_FIELDS),
        before: z.string().nullable(),
        after: z.string().nullable(),
      }),
    }),
  ])
  .meta({
    id: 'TicketActivity',
    description:
      'A comment, or a change of one field: codes of status and priority, the instant of the deadline (due), names of assignee and location as they were, the subject itself',
  })
/** An entry of a ticket's activity. */
export type TicketActivity = z.infer<typeof activitySchema>

/** A comment; `author_id` is null once the author has left. */
export type TicketComment = z.infer<typeof commentSchema>
