import { handleJobRequest } from '@/lib/cron/jobs'
import { cronPaths } from '@/lib/cron/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 60

export const GET = defineRoute({
  ...cronPaths['/api/cron/ticket-notifications'].get,
  handler: () => handleJobRequest('ticket-notifications'),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(cronPaths['/api/cron/ticket-notifications'])
