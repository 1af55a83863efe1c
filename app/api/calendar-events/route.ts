import { listEvents, saveEvent } from '@/lib/calendar/events'
import { calendarPaths } from '@/lib/calendar/operations'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const GET = defineRoute({
  ...calendarPaths['/api/calendar-events'].get,
  handler: ({ session, query }) => listEvents(session, query),
})

export const POST = defineRoute({
  ...calendarPaths['/api/calendar-events'].post,
  handler: async ({ session, body }) =>
    Response.json({ data: await saveEvent(session, null, body) }, { status: 201 }),
})

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods(calendarPaths['/api/calendar-events'])
