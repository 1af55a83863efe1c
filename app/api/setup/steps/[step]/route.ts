import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { setupPaths } from '@/lib/setup/operations'
import { skipStep } from '@/lib/setup/progress'

export const PUT = defineRoute({
  ...setupPaths['/api/setup/steps/{step}'].put,
  handler: async ({ session, params, body }) => {
    await skipStep(session, params.step, body.skipped)
    return { success: true }
  },
})

export const { GET, HEAD, POST, PATCH, DELETE, OPTIONS } = otherMethods(setupPaths['/api/setup/steps/{step}'])
