import { locationPaths } from '@/lib/locations/operations'
import { readTables, saveTables } from '@/lib/locations/service-setup'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...locationPaths['/api/locations/{id}/tables'].get,
  handler: async ({ session, params }) => ({ data: await readTables(session, params.id) }),
})

export const PUT = defineRoute({
  ...locationPaths['/api/locations/{id}/tables'].put,
  handler: async ({ session, params, body }) => ({ data: await saveTables(session, params.id, body.tables) }),
})

export const { POST, PATCH, DELETE, OPTIONS } = otherMethods(locationPaths['/api/locations/{id}/tables'])
