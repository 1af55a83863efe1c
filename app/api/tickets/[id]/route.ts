import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { deleteTicket } from '@/lib/tickets/delete-ticket'
import { getTicket } from '@/lib/tickets/get-ticket'
import { ticketPaths } from '@/lib/tickets/operations'
import { saveTicket } from '@/lib/tickets/save-ticket'

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
