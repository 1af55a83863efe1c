import { defineRoute } from '@/lib/http/define-route'
import { downloadFailedRows } from '@/lib/imports/get-import'
import { importPaths } from '@/lib/imports/operations'

export const GET = defineRoute({
  ...importPaths['/api/imports/{id}/failed-rows'].get,
  handler: ({ session, params }) => downloadFailedRows(session, params.id),
})
