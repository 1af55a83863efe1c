import { accountPaths } from '@/lib/account/operations'
import { confirmSecondFactor } from '@/lib/account/second-factor'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...accountPaths['/api/account/second-factor/confirm'].post,
  handler: async ({ request, session, body }) => ({
    data: await confirmSecondFactor(request, session, body),
  }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  accountPaths['/api/account/second-factor/confirm'],
)
