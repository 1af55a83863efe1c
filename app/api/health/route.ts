import { checkHealth } from '@/lib/health/check-health'
import { defineRoute } from '@/lib/http/define-route'

export const GET = defineRoute({ auth: 'none', handler: checkHealth })
