import { checkHealth } from '@/lib/health/check-health'
import { healthPaths } from '@/lib/health/operations'
import { defineRoute } from '@/lib/http/define-route'

export const GET = defineRoute({ ...healthPaths['/api/health'].get, handler: checkHealth })
