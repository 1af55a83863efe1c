import { changeBrand } from '@/lib/brands/change-brand'
import { deleteBrand } from '@/lib/brands/delete-brand'
import { brandPaths } from '@/lib/brands/operations'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

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
