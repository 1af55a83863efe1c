import { organizationPaths } from '@/lib/organization/operations'
import { answerOrganization, changeOrganization } from '@/lib/organization/organization'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...organizationPaths['/api/organization'].get,
  handler: async ({ session }) => answerOrganization(session),
})

export const PATCH = defineRoute({
  ...organizationPaths['/api/organization'].patch,
  handler: async ({ session, body }) => {
    const changed = await changeOrganization(session, body)
    return Response.json(changed.body, { status: changed.waits ? 202 : 200 })
  },
})

export const { POST, PUT, DELETE, OPTIONS } = otherMethods(organizationPaths['/api/organization'])
