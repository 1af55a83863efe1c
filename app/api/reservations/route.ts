import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { reservationPaths } from '@/lib/reservations/operations'
import { queryReservations } from '@/lib/reservations/query-reservations'
import { saveReservation } from '@/lib/reservations/save-reservation'

export const GET = defineRoute({
  ...reservationPaths['/api/reservations'].get,
  handler: ({ session, query }) => queryReservations(session, query),
})

export const POST = defineRoute({
  ...reservationPaths['/api/reservations'].post,
  handler: async ({ session, body }) =>
    Response.json({ data: await saveReservation(session, body) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(reservationPaths['/api/reservations'])
