import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { ticketPaths } from '@/lib/tickets/operations'
import { listTickets, saveTicket } from '@/lib/tickets/tickets'

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
