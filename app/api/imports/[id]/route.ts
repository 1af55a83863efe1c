import { getImport } from '@/lib/imports/import-log'
import { importPaths } from '@/lib/imports/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...importPaths['/api/imports/{id}'].get,
  handler: async ({ session, params }) => ({ data: await getImport(session, params.id) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(importPaths['/api/imports/{id}'])
