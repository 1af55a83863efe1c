import { defineRoute } from '@/lib/http/define-route'
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
