import { changeLook } from '@/lib/email-design/looks'
import { emailDesignPaths } from '@/lib/email-design/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const PATCH = defineRoute({
  ...emailDesignPaths['/api/brands/{id}/email-look'].patch,
  handler: async ({ session, params, body }) => ({ data: await changeLook(session, params.id, body) }),
})

export const { GET, HEAD, POST, PUT, DELETE, OPTIONS } = otherMethods(
  emailDesignPaths['/api/brands/{id}/email-look'],
)
