import { defineRoute } from '@/lib/http/define-route'
import { listRuns } from '@/lib/jobs/list-runs'
import { jobPaths } from '@/lib/jobs/operations'

export const GET = defineRoute({
  ...jobPaths['/api/jobs'].get,
  handler: ({ session, query }) => listRuns(session, query),
})
