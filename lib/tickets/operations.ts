import { edited, idParams, notFound, page, pageQuery, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { ticketsQuery } from './filters'
import {
  activitySchema,
  commentSchema,
  newCommentSchema,
  newTicketSchema,
  ticketChangesSchema,
  ticketSchema,
} from './schema'

const tag = 'Tickets'
const id = '7c0e3a86-3c1e-4a0b-8f5c-6f2f1d1f9b02'
const person = '5b1d3b0a-6f0e-4d8b-9a2c-1f6f3a7f0c55'
const example = {
  id,
  number: 12,
  subject: 'No imprime la cocina',
  description: 'La impresora de comandas no responde',
  status: 'open',
  priority: 'high',
  sla_due_at: '2026-11-20T20:00:00.000Z',
  location_id: '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10',
  customer_id: null,
  assignee_id: null,
  assignee_name: null,
  requester_id: person,
  requester_name: 'Lucía Prieto',
  notified_at: null,
  sla_reminded_at: null,
  resolved_at: null,
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:00.000Z',
}
const one = { schema: single(ticketSchema), example: { data: example } }
const comment = {
  id: '3f7a2f6e-1a53-4b0e-9f0e-6f8a3c1d2b10',
  ticket_id: id,
  author_id: person,
  author_name: 'Lucía Prieto',
  body: 'El técnico viene a las cinco',
  created_at: '2026-11-20T13:00:00.000Z',
}
const visible = 'Someone bound to locations sees the tickets of those locations and those without a location.'
const customers = 'Setting customer_id needs canAccessClientes.'

export const ticketPaths = definePaths({
  '/api/tickets': {
    get: {
      summary: 'Tickets, the newest first',
      description: visible,
      tag,
      auth: 'session',
      machines: true,
      query: ticketsQuery,
      responses: {
        200: {
          description: 'A page of tickets',
          schema: page(ticketSchema),
          example: { data: [example], next_cursor: null },
        },
      },
    },
    post: {
      summary: 'Open a ticket',
      description: `Its deadline is 72, 24, 8 or 2 hours from now, by priority (low to urgent). ${customers}`,
      tag,
      auth: 'session',
      body: newTicketSchema,
      bodyExample: { subject: example.subject, priority: 'high', location_id: example.location_id },
      responses: { 201: { description: 'The ticket', ...one } },
    },
  },
  '/api/tickets/{id}': {
    get: {
      summary: 'A ticket',
      tag,
      auth: 'session',
      machines: true,
      params: idParams,
      responses: { 200: { description: 'The ticket', ...one }, 404: notFound },
    },
    patch: {
      summary: 'Change a ticket',
      description: `Another priority moves the deadline, counted from its creation. ${customers}`,
      tag,
      auth: 'session',
      params: idParams,
      body: ticketChangesSchema,
      bodyExample: { status: 'in_progress', assignee_id: person },
      responses: { 200: { description: 'The ticket', ...one }, 404: notFound, 409: edited },
    },
    delete: {
      summary: 'Delete a ticket with its comments',
      tag,
      auth: 'session',
      permission: 'canViewSettings',
      params: idParams,
      responses: { 204: { description: 'Deleted' }, 404: notFound },
    },
  },
  '/api/tickets/{id}/activity': {
    get: {
      summary: 'What happened to a ticket, the oldest first',
      description: 'Comments, and who changed status, priority, deadline, assignee, location or subject.',
      tag,
      auth: 'session',
      machines: true,
      params: idParams,
      query: pageQuery,
      responses: {
        200: {
          description: 'A page of it',
          schema: page(activitySchema),
          example: {
            data: [
              {
                kind: 'change',
                id: '9a4c1d7e-52c3-4f5b-8f0a-6f1a0a5b3c77',
                at: '2026-11-20T12:30:00.000Z',
                author_name: comment.author_name,
                details: { field: 'status', before: 'open', after: 'in_progress' },
              },
              {
                kind: 'comment',
                id: comment.id,
                at: comment.created_at,
                author_name: comment.author_name,
                details: { body: comment.body },
              },
            ],
            next_cursor: null,
          },
        },
        404: notFound,
      },
    },
  },
  '/api/tickets/{id}/comments': {
    get: {
      summary: 'The comments of a ticket, the oldest first',
      tag,
      auth: 'session',
      machines: true,
      params: idParams,
      query: pageQuery,
      responses: {
        200: {
          description: 'A page of comments',
          schema: page(commentSchema),
          example: { data: [comment], next_cursor: null },
        },
        404: notFound,
      },
    },
    post: {
      summary: 'Comment on a ticket',
      tag,
      auth: 'session',
      params: idParams,
      body: newCommentSchema,
      bodyExample: { body: comment.body },
      responses: {
        201: { description: 'The comment', schema: single(commentSchema), example: { data: comment } },
        404: notFound,
      },
    },
  },
})
