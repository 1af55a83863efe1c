import { locationPaths } from '@/lib/locations/operations'
import { readHours, saveHours } from '@/lib/locations/service-setup'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...locationPaths['/api/locations/{id}/hours'].get,
  handler: async ({ session, params }) => ({ data: await readHours(session, params.id) }),
})

export const PUT = defineRoute({
  ...locationPaths['/api/locations/{id}/hours'].put,
  handler: async ({ session, params, body }) => ({ data: await saveHours(session, params.id, body) }),
})

export const { POST, PATCH, DELETE, OPTIONS } = otherMethods(locationPaths['/api/locations/{id}/hours'])
