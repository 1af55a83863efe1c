import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { ticketPaths } from '@/lib/tickets/operations'
import { listActivity } from '@/lib/tickets/tickets'

export const GET = defineRoute({
  ...ticketPaths['/api/tickets/{id}/activity'].get,
  handler: ({ session, params, query }) => listActivity(session, params.id, query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(ticketPaths['/api/tickets/{id}/activity'])
