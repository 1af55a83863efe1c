import { checkHealth } from '@/lib/health/check-health'
import { healthPaths } from '@/lib/health/operations'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const GET = defineRoute({ ...healthPaths['/api/health'].get, handler: checkHealth })

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(healthPaths['/api/health'])
