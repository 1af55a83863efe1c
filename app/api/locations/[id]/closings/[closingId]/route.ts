import { removeClosing } from '@/lib/closings/closings'
import { closingPaths } from '@/lib/closings/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const DELETE = defineRoute({
  ...closingPaths['/api/locations/{id}/closings/{closingId}'].delete,
  handler: async ({ session, params }) => {
    await removeClosing(session, params.id, params.closingId)
    return new Response(null, { status: 204 })
  },
})

export const { GET, HEAD, POST, PUT, PATCH, OPTIONS } = otherMethods(
  closingPaths['/api/locations/{id}/closings/{closingId}'],
)
