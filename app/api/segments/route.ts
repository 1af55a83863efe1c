import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { segmentPaths } from '@/lib/segments/operations'
import { listSegments, saveSegment } from '@/lib/segments/segments'

export const GET = defineRoute({
  ...segmentPaths['/api/segments'].get,
  handler: async ({ session }) => ({ data: await listSegments(session), next_cursor: null }),
})

export const POST = defineRoute({
  ...segmentPaths['/api/segments'].post,
  handler: async ({ session, body }) =>
    Response.json({ data: await saveSegment(session, body) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(segmentPaths['/api/segments'])
