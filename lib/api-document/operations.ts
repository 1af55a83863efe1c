import { definePaths } from '@/lib/openapi/operation'

export const docsPaths = definePaths({
  '/api/docs/openapi.yaml': {
    get: {
      contract: true,
      summary: 'This description',
      tag: 'Docs',
      auth: 'none',
      responses: { 200: { description: 'OpenAPI 3.0.0 as YAML', contentType: 'application/x-yaml' } },
    },
  },
})
