import { listImports } from '@/lib/imports/import-log'
import { createImport } from '@/lib/imports/import-upload'
import { importPaths } from '@/lib/imports/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 300

export const POST = defineRoute({
  ...importPaths['/api/imports'].post,
  rateLimit: ({ session }) => `import-csv:${session.user_id}`,
  handler: ({ request, session }) => createImport(request, session),
})

export const GET = defineRoute({
  ...importPaths['/api/imports'].get,
  handler: ({ session, query }) => listImports(session, query),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(importPaths['/api/imports'])
