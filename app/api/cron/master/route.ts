import { handleMasterRequest } from '@/lib/cron/jobs'
import { cronPaths } from '@/lib/cron/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 300

export const GET = defineRoute({
  ...cronPaths['/api/cron/master'].get,
  handler: ({ query }) => handleMasterRequest(query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(cronPaths['/api/cron/master'])
