import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { locationPaths } from '@/lib/locations/operations'
import { pageLocations } from '@/lib/locations/page-locations'
import { createLocation } from '@/lib/locations/save-location'

export const GET = defineRoute({
  ...locationPaths['/api/locations'].get,
  handler: ({ session, query }) => pageLocations(session, query),
})

export const POST = defineRoute({
  ...locationPaths['/api/locations'].post,
  handler: async ({ session, body }) =>
    Response.json({ data: await createLocation(session, body) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(locationPaths['/api/locations'])
