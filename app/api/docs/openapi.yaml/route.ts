import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { docsPaths } from '@/lib/openapi/operations'
import { openApiYaml } from '@/lib/openapi/yaml'

export const GET = defineRoute({
  ...docsPaths['/api/docs/openapi.yaml'].get,
  handler: async ({ request }) => openApiYaml(request),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(docsPaths['/api/docs/openapi.yaml'])
