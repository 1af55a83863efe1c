import { defineRoute } from '@/lib/http/define-route'
import { postUnsubscribe } from '@/lib/messaging/post-unsubscribe'
import { unsubscribePaths } from '@/lib/messaging/unsubscribe-operations'

export const POST = defineRoute({
  ...unsubscribePaths['/api/u/{token}'].post,
  handler: ({ request, params }) => postUnsubscribe(request, params.token),
})
