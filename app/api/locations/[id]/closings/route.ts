import { addClosing, listClosings } from '@/lib/closings/closings'
import { closingPaths } from '@/lib/closings/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...closingPaths['/api/locations/{id}/closings'].get,
  handler: async ({ session, params }) => ({ data: await listClosings(session, params.id) }),
})

export const POST = defineRoute({
  ...closingPaths['/api/locations/{id}/closings'].post,
  handler: async ({ session, params, body }) =>
    Response.json(await addClosing(session, params.id, body), { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(closingPaths['/api/locations/{id}/closings'])
