import { defineRoute } from '@/lib/http/define-route'
import { listTiers } from '@/lib/loyalty/list-tiers'

export const GET = defineRoute({
  auth: 'session',
  handler: async ({ session }) => ({ data: await listTiers(session), next_cursor: null }),
})
