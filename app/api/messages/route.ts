import { onReplica } from '@/lib/auth/session'
import { listMessages } from '@/lib/messaging/messages'
import { messagePaths } from '@/lib/messaging/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...messagePaths['/api/messages'].get,
  handler: ({ session, query }) => listMessages(onReplica(session), query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(messagePaths['/api/messages'])
