import { deleteEvent } from '@/lib/calendar/delete-event'
import { getEvent } from '@/lib/calendar/get-event'
import { calendarPaths } from '@/lib/calendar/operations'
import { saveEvent } from '@/lib/calendar/save-event'
import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'

const operations = calendarPaths['/api/calendar-events/{id}']

export const GET = defineRoute({
  ...operations.get,
  handler: async ({ session, params }) => ({ data: await getEvent(session, params.id) }),
})

export const PATCH = defineRoute({
  ...operations.patch,
  handler: async ({ session, params, body }) => ({ data: await saveEvent(session, params.id, body) }),
})

export const DELETE = defineRoute({
  ...operations.delete,
  handler: async ({ session, params }) => {
    await deleteEvent(session, params.id)
    return new Response(null, { status: 204 })
  },
})

export const { POST, PUT, OPTIONS } = otherMethods(calendarPaths['/api/calendar-events/{id}'])
