import { identityPaths } from '@/lib/identity/operations'
import { changeIdentity, readIdentity } from '@/lib/identity/settings'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...identityPaths['/api/identity'].get,
  handler: async ({ session }) => ({ data: await readIdentity(session) }),
})

export const PATCH = defineRoute({
  ...identityPaths['/api/identity'].patch,
  handler: async ({ session, body }) => ({ data: await changeIdentity(session, body) }),
})

export const { POST, PUT, DELETE, OPTIONS } = otherMethods(identityPaths['/api/identity'])
