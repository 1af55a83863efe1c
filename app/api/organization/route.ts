import { organizationPaths } from '@/lib/organization/operations'
import { changeOrganization, readOrganization } from '@/lib/organization/organization'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...organizationPaths['/api/organization'].get,
  handler: async ({ session }) => ({ data: await readOrganization(session) }),
})

export const PATCH = defineRoute({
  ...organizationPaths['/api/organization'].patch,
  handler: async ({ session, body }) => ({ data: await changeOrganization(session, body) }),
})

export const { POST, PUT, DELETE, OPTIONS } = otherMethods(organizationPaths['/api/organization'])
