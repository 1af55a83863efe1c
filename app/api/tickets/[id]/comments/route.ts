import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { addComment } from '@/lib/tickets/add-comment'
import { listComments } from '@/lib/tickets/list-comments'
import { ticketPaths } from '@/lib/tickets/operations'

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
