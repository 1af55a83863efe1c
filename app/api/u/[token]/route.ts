import { formRoute } from '@/lib/guests/form-route'
import { unsubscribePaths } from '@/lib/messaging/operations'
import { postUnsubscribe } from '@/lib/messaging/unsubscribe-form'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = formRoute(
  'u',
  defineRoute({
    ...unsubscribePaths['/api/u/{token}'].post,
    handler: ({ request, params: { token }, query }) => postUnsubscribe(request, { token, message: query.m }),
  }),
)

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(unsubscribePaths['/api/u/{token}'])
