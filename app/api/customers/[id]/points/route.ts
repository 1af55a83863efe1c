import { listPoints, savePoints } from '@/lib/customers/points'
import { pointsPaths } from '@/lib/customers/points-schema'
import { readCustomer } from '@/lib/customers/read-customer'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...pointsPaths['/api/customers/{id}/points'].get,
  handler: async ({ session, params, query }) => {
    await readCustomer(session, params.id)
    return listPoints(session, params.id, query)
  },
})

export const POST = defineRoute({
  ...pointsPaths['/api/customers/{id}/points'].post,
  handler: async ({ session, params, body }) =>
    Response.json({ data: await savePoints(session, params.id, body) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(pointsPaths['/api/customers/{id}/points'])
