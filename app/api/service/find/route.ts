import { findReservations } from '@/lib/reservations/find'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { servicePaths } from '@/lib/service/operations'

export const GET = defineRoute({
  ...servicePaths['/api/service/find'].get,
  handler: async ({ session, query }) => ({ data: await findReservations(session, query) }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(servicePaths['/api/service/find'])
