import { changeLocation, deleteLocation, getLocation } from '@/lib/locations/locations'
import { locationPaths } from '@/lib/locations/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 60

export const GET = defineRoute({
  ...locationPaths['/api/locations/{id}'].get,
  handler: async ({ session, params }) => ({ data: await getLocation(session, params.id) }),
})

export const PATCH = defineRoute({
  ...locationPaths['/api/locations/{id}'].patch,
  handler: async ({ session, params, body }) => ({ data: await changeLocation(session, params.id, body) }),
})

export const DELETE = defineRoute({
  ...locationPaths['/api/locations/{id}'].delete,
  handler: async ({ session, params }) => {
    await deleteLocation(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { POST, PUT, OPTIONS } = otherMethods(locationPaths['/api/locations/{id}'])
