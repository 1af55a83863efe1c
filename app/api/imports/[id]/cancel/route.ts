import { cancelImport } from '@/lib/imports/import-log'
import { importPaths } from '@/lib/imports/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const POST = defineRoute({
  ...importPaths['/api/imports/{id}/cancel'].post,
  handler: async ({ session, params }) => ({ data: await cancelImport(session, params.id) }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  importPaths['/api/imports/{id}/cancel'],
)
