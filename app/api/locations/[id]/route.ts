import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { deleteLocation } from '@/lib/locations/delete-location'
import { getLocation } from '@/lib/locations/get-location'
import { locationPaths } from '@/lib/locations/operations'
import { changeLocation } from '@/lib/locations/save-location'

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
