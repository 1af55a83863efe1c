import { defineRoute } from '@/lib/http/define-route'
import { myNotices } from '@/lib/notices/my-notices'
import { noticePaths } from '@/lib/notices/operations'

export const GET = defineRoute({
  ...noticePaths['/api/notices'].get,
  handler: async ({ session }) => ({ data: await myNotices(session) }),
})
