import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { organizationPaths } from '@/lib/organization/operations'
import { changeOrganization, readOrganization } from '@/lib/organization/settings'

export const GET = defineRoute({
  ...organizationPaths['/api/organization'].get,
  handler: async ({ session }) => ({ data: await readOrganization(session) }),
})

export const PATCH = defineRoute({
  ...organizationPaths['/api/organization'].patch,
  handler: async ({ session, body }) => ({ data: await changeOrganization(session, body) }),
})

export const { POST, PUT, DELETE, OPTIONS } = otherMethods(organizationPaths['/api/organization'])
