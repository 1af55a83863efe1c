import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { webhookPaths } from '@/lib/webhooks/operations'
import { receiveFromTwilio } from '@/lib/webhooks/twilio'

export const POST = defineRoute({
  ...webhookPaths['/api/webhooks/twilio'].post,
  handler: ({ request, query }) => receiveFromTwilio(request, query.message),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(webhookPaths['/api/webhooks/twilio'])
