import { handleJobRequest } from '@/lib/cron/jobs'
import { cronPaths } from '@/lib/cron/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 60

export const GET = defineRoute({
  ...cronPaths['/api/cron/calendar-reminders'].get,
  handler: () => handleJobRequest('calendar-reminders'),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(cronPaths['/api/cron/calendar-reminders'])
