import { defineRoute } from '@/lib/http/define-route'
import { answerJob } from '@/lib/jobs/answers'
import { cronPaths } from '@/lib/jobs/cron-operations'

export const maxDuration = 60

export const GET = defineRoute({
  ...cronPaths['/api/cron/ticket-reminders'].get,
  handler: () => answerJob('ticket-reminders'),
})
