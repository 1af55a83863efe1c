import { onReplica } from '@/lib/auth/session'
import { reportPaths } from '@/lib/reports/operations'
import { readReports } from '@/lib/reports/reports'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...reportPaths['/api/reports'].get,
  handler: async ({ session, query }) => ({ data: await readReports(onReplica(session), query) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(reportPaths['/api/reports'])
