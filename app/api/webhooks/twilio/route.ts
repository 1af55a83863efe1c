import { defineRoute } from '@/lib/http/define-route'
import { webhookPaths } from '@/lib/webhooks/operations'
import { receiveFromTwilio } from '@/lib/webhooks/twilio'

export const POST = defineRoute({
  ...webhookPaths['/api/webhooks/twilio'].post,
  handler: ({ request, query }) => receiveFromTwilio(request, query.message),
})
