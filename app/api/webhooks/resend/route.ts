import { defineRoute } from '@/lib/http/define-route'
import { webhookPaths } from '@/lib/webhooks/operations'
import { receiveFromResend } from '@/lib/webhooks/resend'

export const POST = defineRoute({
  ...webhookPaths['/api/webhooks/resend'].post,
  handler: ({ request }) => receiveFromResend(request),
})
