import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { getImport } from '@/lib/imports/get-import'
import { importPaths } from '@/lib/imports/operations'

export const GET = defineRoute({
  ...importPaths['/api/imports/{id}'].get,
  handler: async ({ session, params }) => ({ data: await getImport(session, params.id) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(importPaths['/api/imports/{id}'])
