import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { listRuns } from '@/lib/jobs/list-runs'
import { jobPaths } from '@/lib/jobs/operations'

export const GET = defineRoute({
  ...jobPaths['/api/jobs'].get,
  handler: ({ session, query }) => listRuns(session, query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(jobPaths['/api/jobs'])
