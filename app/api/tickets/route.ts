import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { listTickets } from '@/lib/tickets/list-tickets'
import { ticketPaths } from '@/lib/tickets/operations'
import { saveTicket } from '@/lib/tickets/save-ticket'

export const GET = defineRoute({
  ...ticketPaths['/api/tickets'].get,
  handler: ({ session, query }) => listTickets(session, query),
})

export const POST = defineRoute({
  ...ticketPaths['/api/tickets'].post,
  handler: async ({ session, body }) =>
    Response.json({ data: await saveTicket(session, null, body) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(ticketPaths['/api/tickets'])
