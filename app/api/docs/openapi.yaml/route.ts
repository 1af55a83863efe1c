import { defineRoute } from '@/lib/http/define-route'
import { docsPaths } from '@/lib/openapi/operations'
import { openApiYaml } from '@/lib/openapi/yaml'

export const GET = defineRoute({
  ...docsPaths['/api/docs/openapi.yaml'].get,
  handler: async ({ request }) => openApiYaml(request),
})
