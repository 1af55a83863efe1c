import { importFiles } from '@/lib/imports/import-files'
import { importUpload } from '@/lib/imports/import-upload'
import { importPaths } from '@/lib/imports/operations'
import { isForm, refuseOtherBodies } from '@/lib/imports/read-upload'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 300

const fromFiles = defineRoute({
  ...importPaths['/api/admin/import-csv'].post,
  rateLimit: ({ session }) => `import-csv:${session.user_id}`,
  handler: ({ request, session }) => {
    refuseOtherBodies(request)
    return importFiles(session, request.signal)
  },
})

const fromUpload = defineRoute({
  auth: 'session',
  contract: true,
  roles: ['super_admin'],
  rateLimit: ({ session }) => `import-csv:${session.user_id}`,
  failure: (message) => ({ error: message }),
  handler: ({ request, session }) => importUpload(request, session),
})

/** A multipart form brings its own file; any other body imports the predefined files. */
export function POST(request: Request): Promise<Response> {
  return isForm(request) ? fromUpload(request) : fromFiles(request)
}

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(importPaths['/api/admin/import-csv'])
