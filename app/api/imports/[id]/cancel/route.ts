import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { cancelImport } from '@/lib/imports/cancel-import'
import { importPaths } from '@/lib/imports/operations'

export const POST = defineRoute({
  ...importPaths['/api/imports/{id}/cancel'].post,
  handler: async ({ session, params }) => ({ data: await cancelImport(session, params.id) }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  importPaths['/api/imports/{id}/cancel'],
)
