import { z } from 'zod'
import { requiredText } from '@/lib/http/fields'
import { instant } from '@/lib/http/instant'
import { pageQuery } from '@/lib/openapi/common'

export const TICKET_STATUSES = ['open', 'in_progress', 'waiting', 'resolved', 'closed'] as const
export const TICKET_PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const

const fields = {
  subject: requiredText(200),
  description: requiredText(10_000).nullish(),
  status: z.enum(TICKET_STATUSES).optional(),
  priority: z.enum(TICKET_PRIORITIES).optional(),
  location_id: z.uuid().nullish(),
  customer_id: z.uuid().nullish(),
  assignee_id: z.uuid().nullish(),
}

/** A new ticket: open and of medium priority unless it says otherwise. */
export const newTicketSchema = z.strictObject(fields)
/** What changes of a ticket; what is left out stays. */
export const ticketChangesSchema = z.strictObject(fields).partial()
export type TicketChanges = z.infer<typeof ticketChangesSchema>

export const ticketQuerySchema = pageQuery.extend({
  status: z.enum(TICKET_STATUSES).optional(),
  priority: z.enum(TICKET_PRIORITIES).optional(),
  location_id: z.uuid().optional(),
  assignee_id: z.uuid().optional(),
  search: z.string().max(200).optional().meta({ description: 'Words of subject or description, or #number' }),
})
export type TicketQuery = z.infer<typeof ticketQuerySchema>

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
/** A ticket as the API gives it; `sla_due_at` is its deadline by priority. Instants in UTC. */
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
/** A comment; `author_id` is null once the author has left. */
export type TicketComment = z.infer<typeof commentSchema>
