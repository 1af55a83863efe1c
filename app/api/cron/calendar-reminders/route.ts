import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { answerJob } from '@/lib/jobs/answers'
import { cronPaths } from '@/lib/jobs/cron-operations'

export const maxDuration = 60

export const GET = defineRoute({
  ...cronPaths['/api/cron/calendar-reminders'].get,
  handler: () => answerJob('calendar-reminders'),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(cronPaths['/api/cron/calendar-reminders'])
