import { changeBrand, deleteBrand } from '@/lib/brands/brands'
import { brandPaths } from '@/lib/brands/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const PATCH = defineRoute({
  ...brandPaths['/api/brands/{id}'].patch,
  handler: async ({ session, params, body }) => ({ data: await changeBrand(session, params.id, body) }),
})

export const DELETE = defineRoute({
  ...brandPaths['/api/brands/{id}'].delete,
  handler: async ({ session, params }) => {
    await deleteBrand(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { GET, HEAD, POST, PUT, OPTIONS } = otherMethods(brandPaths['/api/brands/{id}'])
