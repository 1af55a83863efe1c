import { accountPaths } from '@/lib/account/operations'
import { removeSecondFactor, secondFactorState, startSecondFactor } from '@/lib/account/second-factor'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...accountPaths['/api/account/second-factor'].get,
  handler: async ({ session }) => ({ data: await secondFactorState(session) }),
})

export const POST = defineRoute({
  ...accountPaths['/api/account/second-factor'].post,
  attempts: ({ session }) => ({ seconds: 60, most: { [`second-factor:${session.user_id}`]: 10 } }),
  handler: async ({ session }) => Response.json({ data: await startSecondFactor(session) }, { status: 201 }),
})

export const DELETE = defineRoute({
  ...accountPaths['/api/account/second-factor'].delete,
  handler: async ({ request, session, body }) => {
    await removeSecondFactor(request, session, body.code)
    return new Response(null, { status: 204 })
  },
})

export const { PUT, PATCH, OPTIONS } = otherMethods(accountPaths['/api/account/second-factor'])
