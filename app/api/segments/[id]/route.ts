import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { segmentPaths } from '@/lib/segments/operations'
import { deleteSegment, getSegment, saveSegment } from '@/lib/segments/segments'

const operations = segmentPaths['/api/segments/{id}']

export const GET = defineRoute({
  ...operations.get,
  handler: async ({ session, params }) => ({ data: await getSegment(session, params.id) }),
})

export const PATCH = defineRoute({
  ...operations.patch,
  handler: async ({ session, params, body }) => ({ data: await saveSegment(session, body, params.id) }),
})

export const DELETE = defineRoute({
  ...operations.delete,
  handler: async ({ session, params }) => {
    await deleteSegment(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { POST, PUT, OPTIONS } = otherMethods(segmentPaths['/api/segments/{id}'])
