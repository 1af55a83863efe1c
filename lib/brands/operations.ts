import { idParams, notFound, page, pageQuery, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { brandChangesSchema, brandSchema, newBrandSchema } from './schema'

const tag = 'Brands'
const brand = {
  id: '7a1f0a3e-5c58-4a58-9f2c-6d3f2b1c0e9d',
  name: 'Casa Lumbre',
  slug: 'casa-lumbre',
  postal_address: null,
}
const settings = { tag, auth: 'session', permission: 'canViewSettings' } as const
const taken = problem('The slug is taken', 'ALREADY_EXISTS')

export const brandPaths = definePaths({
  '/api/brands': {
    get: {
      summary: 'The brands, by slug',
      tag,
      auth: 'session',
      machines: true,
      query: pageQuery,
      responses: {
        200: {
          description: 'A page of brands',
          schema: page(brandSchema),
          example: { data: [brand], next_cursor: null },
        },
      },
    },
    post: {
      ...settings,
      summary: 'Add a brand',
      body: newBrandSchema,
      bodyExample: { name: 'Casa Lumbre' },
      responses: {
        201: { description: 'Added', schema: single(brandSchema), example: { data: brand } },
        409: taken,
      },
    },
  },
  '/api/brands/{id}': {
    patch: {
      ...settings,
      summary: 'Change a brand',
      params: idParams,
      body: brandChangesSchema,
      bodyExample: { name: 'Casa Lumbre' },
      responses: {
        200: { description: 'As it is now', schema: single(brandSchema), example: { data: brand } },
        404: notFound,
        409: taken,
      },
    },
    delete: {
      ...settings,
      summary: 'Delete a brand without locations',
      params: idParams,
      responses: {
        204: { description: 'Deleted' },
        404: notFound,
        409: problem('It has locations', 'BRAND_IN_USE'),
      },
    },
  },
})
