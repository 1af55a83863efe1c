import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { listImports } from '@/lib/imports/list-imports'
import { importPaths } from '@/lib/imports/operations'

export const GET = defineRoute({
  ...importPaths['/api/imports'].get,
  handler: ({ session, query }) => listImports(session, query),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(importPaths['/api/imports'])
