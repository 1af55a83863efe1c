import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { ticketPaths } from '@/lib/tickets/operations'
import { addComment, listComments } from '@/lib/tickets/tickets'

const operations = ticketPaths['/api/tickets/{id}/comments']

export const GET = defineRoute({
  ...operations.get,
  handler: ({ session, params, query }) => listComments(session, params.id, query),
})

export const POST = defineRoute({
  ...operations.post,
  handler: async ({ session, params, body }) =>
    Response.json({ data: await addComment(session, params.id, body.body) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(ticketPaths['/api/tickets/{id}/comments'])
