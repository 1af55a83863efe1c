import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { postUnsubscribe } from '@/lib/messaging/post-unsubscribe'
import { unsubscribePaths } from '@/lib/messaging/unsubscribe-operations'

export const POST = defineRoute({
  ...unsubscribePaths['/api/u/{token}'].post,
  handler: ({ request, params }) => postUnsubscribe(request, params.token),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(unsubscribePaths['/api/u/{token}'])
