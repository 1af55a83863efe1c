import { previewsOf } from '@/lib/http/rate-limit'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { segmentPaths } from '@/lib/segments/operations'
import { previewSegment } from '@/lib/segments/segments'

export const POST = defineRoute({
  ...segmentPaths['/api/segments/preview'].post,
  attempts: ({ session }) => previewsOf(session),
  handler: async ({ session, body }) => ({ data: await previewSegment(session, body) }),
})

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(segmentPaths['/api/segments/preview'])
