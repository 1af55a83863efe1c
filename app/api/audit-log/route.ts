import { listAuditLog } from '@/lib/audit/audit-log'
import { auditPaths } from '@/lib/audit/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...auditPaths['/api/audit-log'].get,
  handler: ({ session, query }) => listAuditLog(session, query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(auditPaths['/api/audit-log'])
