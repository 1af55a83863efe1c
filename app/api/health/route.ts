import { checkHealth } from '@/lib/health/health'
import { healthPaths } from '@/lib/health/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({ ...healthPaths['/api/health'].get, handler: checkHealth })

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(healthPaths['/api/health'])
