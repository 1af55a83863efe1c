import { downloadFailedRows } from '@/lib/imports/import-log'
import { importPaths } from '@/lib/imports/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...importPaths['/api/imports/{id}/failed-rows'].get,
  handler: ({ session, params, query }) => downloadFailedRows(session, params.id, query.language),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  importPaths['/api/imports/{id}/failed-rows'],
)
