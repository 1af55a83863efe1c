import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { webhookPaths } from '@/lib/webhooks/operations'
import { receiveFromResend } from '@/lib/webhooks/resend'

export const POST = defineRoute({
  ...webhookPaths['/api/webhooks/resend'].post,
  handler: ({ request }) => receiveFromResend(request),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(webhookPaths['/api/webhooks/resend'])
