import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { debugToday } from '@/lib/reservations/debug-today'
import { reservationPaths } from '@/lib/reservations/operations'

export const GET = defineRoute({
  ...reservationPaths['/api/admin/debug-reservations'].get,
  handler: ({ session }) => debugToday(session),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(
  reservationPaths['/api/admin/debug-reservations'],
)
