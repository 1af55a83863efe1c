import { defineRoute } from '@/lib/http/define-route'
import { answerJob } from '@/lib/jobs/answers'
import { cronPaths } from '@/lib/jobs/cron-operations'

export const maxDuration = 60

export const GET = defineRoute({
  ...cronPaths['/api/cron/calendar-reminders'].get,
  handler: () => answerJob('calendar-reminders'),
})
