import { jobPaths } from '@/lib/jobs/operations'
import { listRuns } from '@/lib/jobs/runs'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...jobPaths['/api/jobs'].get,
  handler: ({ session, query }) => listRuns(session, query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(jobPaths['/api/jobs'])
