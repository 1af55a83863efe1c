import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { setupPaths } from '@/lib/setup/operations'
import { readSetup } from '@/lib/setup/progress'

export const GET = defineRoute({
  ...setupPaths['/api/setup/steps'].get,
  handler: async ({ session }) => ({ data: await readSetup(session) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(setupPaths['/api/setup/steps'])
