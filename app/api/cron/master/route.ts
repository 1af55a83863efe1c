import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { answerMaster } from '@/lib/jobs/answers'
import { cronPaths } from '@/lib/jobs/cron-operations'

export const maxDuration = 300

export const GET = defineRoute({
  ...cronPaths['/api/cron/master'].get,
  handler: ({ query }) => answerMaster(query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(cronPaths['/api/cron/master'])
