import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { downloadFailedRows } from '@/lib/imports/download-failed-rows'
import { importPaths } from '@/lib/imports/operations'

export const GET = defineRoute({
  ...importPaths['/api/imports/{id}/failed-rows'].get,
  handler: ({ session, params, query }) => downloadFailedRows(session, params.id, query.language),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  importPaths['/api/imports/{id}/failed-rows'],
)
