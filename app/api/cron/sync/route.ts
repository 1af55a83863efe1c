import { defineRoute } from '@/lib/http/define-route'
import { syncForCron } from '@/lib/pms/sync/answers'

export const maxDuration = 60

export const GET = defineRoute({ auth: 'cron', handler: syncForCron })
