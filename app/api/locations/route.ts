import { createLocation, pageLocations } from '@/lib/locations/locations'
import { locationPaths } from '@/lib/locations/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

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
