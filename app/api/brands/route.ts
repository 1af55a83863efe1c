import { createBrand, listBrands } from '@/lib/brands/brands'
import { brandPaths } from '@/lib/brands/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

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
