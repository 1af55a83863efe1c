import { deleteEvent, getEvent, saveEvent } from '@/lib/calendar/events'
import { calendarPaths } from '@/lib/calendar/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

const operations = calendarPaths['/api/calendar-events/{id}']

export const GET = defineRoute({
  ...operations.get,
  handler: async ({ session, params }) => ({ data: await getEvent(session, params.id) }),
})

export const PATCH = defineRoute({
  ...operations.patch,
  handler: async ({ session, params, query, body }) => ({
    data: await saveEvent(session, params.id, body, query.scope),
  }),
})

export const DELETE = defineRoute({
  ...operations.delete,
  handler: async ({ session, params, query }) => {
    await deleteEvent(session, params.id, query.scope)
    return new Response(null, { status: 204 })
  },
})

export const { POST, PUT, OPTIONS } = otherMethods(calendarPaths['/api/calendar-events/{id}'])
