import { myNotices, noticePaths } from '@/lib/notices/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...noticePaths['/api/notices'].get,
  handler: async ({ session }) => ({ data: await myNotices(session) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(noticePaths['/api/notices'])
