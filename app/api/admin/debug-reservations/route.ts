import { defineRoute } from '@/lib/http/define-route'
import { debugToday } from '@/lib/reservations/debug-today'

export const GET = defineRoute({
  auth: 'session',
  permission: 'canAccessOperaciones',
  failure: (message) => ({ error: message, status: 500 }),
  handler: ({ session }) => debugToday(session),
})
