import { onReplica } from '@/lib/auth/session'
import { exportReport } from '@/lib/reports/export'
import { reportPaths } from '@/lib/reports/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...reportPaths['/api/reports/export'].get,
  rateLimit: ({ session }) => `reports-export:${session.user_id}`,
  handler: ({ session, query }) => exportReport(onReplica(session), query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(reportPaths['/api/reports/export'])
