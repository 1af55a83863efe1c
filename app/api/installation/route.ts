import { deploymentPaths } from '@/lib/deployment/operations'
import { installation } from '@/lib/deployment/report'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 60

export const GET = defineRoute({
  ...deploymentPaths['/api/installation'].get,
  handler: () => installation(),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(deploymentPaths['/api/installation'])
