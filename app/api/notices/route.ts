import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { myNotices } from '@/lib/notices/my-notices'
import { noticePaths } from '@/lib/notices/operations'

export const GET = defineRoute({
  ...noticePaths['/api/notices'].get,
  handler: async ({ session }) => ({ data: await myNotices(session) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(noticePaths['/api/notices'])
