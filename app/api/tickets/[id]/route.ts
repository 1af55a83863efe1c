import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { ticketPaths } from '@/lib/tickets/operations'
import { deleteTicket, getTicket, saveTicket } from '@/lib/tickets/tickets'

const operations = ticketPaths['/api/tickets/{id}']

export const GET = defineRoute({
  ...operations.get,
  handler: async ({ session, params }) => ({ data: await getTicket(session, params.id) }),
})

export const PATCH = defineRoute({
  ...operations.patch,
  handler: async ({ session, params, body }) => ({ data: await saveTicket(session, params.id, body) }),
})

export const DELETE = defineRoute({
  ...operations.delete,
  handler: async ({ session, params }) => {
    await deleteTicket(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { POST, PUT, OPTIONS } = otherMethods(ticketPaths['/api/tickets/{id}'])
