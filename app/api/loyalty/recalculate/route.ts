import { defineRoute } from '@/lib/http/define-route'
import { recalculateTiers } from '@/lib/loyalty/recalculate'

export const maxDuration = 60

export const POST = defineRoute({
  auth: 'session',
  permission: 'canAccessMarketing',
  handler: ({ session }) => recalculateTiers(session),
})
