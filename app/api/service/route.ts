import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'
import { servicePaths } from '@/lib/service/operations'
import { readService } from '@/lib/service/service'

export const GET = defineRoute({
  ...servicePaths['/api/service'].get,
  handler: async ({ session, query }) => ({
    data: await readService(session, { locationId: query.location_id, day: query.date }),
  }),
})

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods(servicePaths['/api/service'])
