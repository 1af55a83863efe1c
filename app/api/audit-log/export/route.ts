import { exportAuditLog } from '@/lib/audit/audit-log'
import { auditPaths } from '@/lib/audit/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 300

export const GET = defineRoute({
  ...auditPaths['/api/audit-log/export'].get,
  attempts: ({ session }) => ({ seconds: 3600, most: { [`audit-log-export:${session.user_id}`]: 10 } }),
  handler: ({ session, query }) => exportAuditLog(session, query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(auditPaths['/api/audit-log/export'])
