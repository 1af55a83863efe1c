import { reservationPaths } from '@/lib/reservations/operations'
import { debugToday } from '@/lib/reservations/reads'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...reservationPaths['/api/admin/debug-reservations'].get,
  handler: ({ session }) => debugToday(session),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  reservationPaths['/api/admin/debug-reservations'],
)
