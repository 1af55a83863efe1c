import { createBrand } from '@/lib/brands/create-brand'
import { listBrands } from '@/lib/brands/list-brands'
import { brandPaths } from '@/lib/brands/operations'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

export const GET = defineRoute({
  ...brandPaths['/api/brands'].get,
  handler: ({ session, query }) => listBrands(session, query),
})

export const POST = defineRoute({
  ...brandPaths['/api/brands'].post,
  handler: async ({ session, body }) =>
    Response.json({ data: await createBrand(session, body) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(brandPaths['/api/brands'])
