import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { webhookPaths } from '@/lib/webhooks/operations'
import { receiveFromTwilio } from '@/lib/webhooks/twilio'

export const POST = defineRoute({
  ...webhookPaths['/api/webhooks/twilio'].post,
  handler: ({ request, query }) => receiveFromTwilio(request, query.message),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(webhookPaths['/api/webhooks/twilio'])
