import { myMorningMail, setMorningMail } from '@/lib/morning/mail'
import { morningPaths } from '@/lib/morning/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

const operations = morningPaths['/api/account/morning-mail']

export const GET = defineRoute({
  ...operations.get,
  handler: async ({ session }) => ({ data: await myMorningMail(session) }),
})

export const PUT = defineRoute({
  ...operations.put,
  handler: async ({ session, body }) => ({ data: await setMorningMail(session, body.hour) }),
})

export const { POST, PATCH, DELETE, OPTIONS } = otherMethods(morningPaths['/api/account/morning-mail'])
