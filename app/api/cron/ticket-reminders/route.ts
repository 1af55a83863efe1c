import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { answerJob } from '@/lib/jobs/answers'
import { cronPaths } from '@/lib/jobs/cron-operations'

export const maxDuration = 60

export const GET = defineRoute({
  ...cronPaths['/api/cron/ticket-reminders'].get,
  handler: () => answerJob('ticket-reminders'),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(cronPaths['/api/cron/ticket-reminders'])
