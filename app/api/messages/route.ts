import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { listMessages } from '@/lib/messaging/list-messages'
import { messagePaths } from '@/lib/messaging/operations'

export const GET = defineRoute({
  ...messagePaths['/api/messages'].get,
  handler: ({ session, query }) => listMessages(session, query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(messagePaths['/api/messages'])
