import { docsPaths } from '@/lib/api-document/operations'
import { openApiYaml } from '@/lib/api-document/yaml'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...docsPaths['/api/docs/openapi.yaml'].get,
  handler: async ({ request }) => openApiYaml(request),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(docsPaths['/api/docs/openapi.yaml'])
