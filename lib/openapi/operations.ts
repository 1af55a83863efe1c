import { definePaths } from './operation'

export const docsPaths = definePaths({
  '/api/docs/openapi.yaml': {
    get: {
      summary: 'This description',
      tag: 'Docs',
      auth: 'none',
      responses: { 200: { description: 'OpenAPI 3.0.0 as YAML', contentType: 'application/x-yaml' } },
    },
  },
})
