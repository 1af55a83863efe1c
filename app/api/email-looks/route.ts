import { changeLook, listLooks } from '@/lib/email-design/looks'
import { emailDesignPaths } from '@/lib/email-design/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...emailDesignPaths['/api/email-looks'].get,
  handler: async ({ session }) => ({ data: await listLooks(session), next_cursor: null }),
})

export const PATCH = defineRoute({
  ...emailDesignPaths['/api/email-looks'].patch,
  handler: async ({ session, body }) => ({ data: await changeLook(session, null, body) }),
})

export const { POST, PUT, DELETE, OPTIONS } = otherMethods(emailDesignPaths['/api/email-looks'])
