import { defineRoute } from '@/lib/http/define-route'
import { seedForAdmin } from '@/lib/organization/seed-for-admin'

export const GET = defineRoute({
  auth: 'session',
  permission: 'canViewSettings',
  changes: true,
  failure: (message) => ({ success: false, error: message, status: 500 }),
  handler: ({ session }) => seedForAdmin(session),
})
