import { edited, idParams, notFound, page, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { eventsQuery } from './filters'
import { eventChangesSchema, eventSchema, newEventSchema, scopeQuery } from './schema'

const tag = 'Calendar'
const id = '0d9b1c1e-52b0-4a43-8f0a-5c5f4d0f7a21'
const location = '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10'
const example = {
  id,
  title: 'Cata de vinos',
  description: 'Mesa alta, ocho personas',
  event_datetime: '2026-11-27T19:30:00.000Z',
  ends_at: '2026-11-27T21:30:00.000Z',
  location_id: location,
  customer_id: null,
  assignee_id: null,
  assignee_name: null,
  notification_sent: false,
  reminder_minutes: 60,
  reminder_sent: false,
  created_by: '5b1d3b0a-6f0e-4d8b-9a2c-1f6f3a7f0c55',
  created_at: '2026-11-20T12:00:00.000Z',
  starts_on: null,
  ends_on: null,
  series_id: '7c2f9a54-6f0e-4d8b-9a2c-1f6f3a7f0c11',
  repeat: { frequency: 'monthly', every: 1, weekdays: null, until: null, count: 12 },
}
const one = { schema: single(eventSchema), example: { data: example } }
const visible = 'Someone bound to locations sees the events of those locations and those without a location.'
const customers = 'Setting customer_id needs canAccessClientes.'

export const calendarPaths = definePaths({
  '/api/calendar-events': {
    get: {
      summary: 'Calendar events in order of time',
      description: visible,
      tag,
      auth: 'session',
      machines: true,
      query: eventsQuery,
      responses: {
        200: {
          description: 'A page of events',
          schema: page(eventSchema),
          example: { data: [example], next_cursor: null },
        },
      },
    },
    post: {
      summary: 'Create a calendar event',
      description: `With starts_on it is an all-day event. With repeat it is the first of a series. ${customers}`,
      tag,
      auth: 'session',
      body: newEventSchema,
      bodyExample: { title: example.title, event_datetime: example.event_datetime, location_id: location },
      responses: { 201: { description: 'The event', ...one } },
    },
  },
  '/api/calendar-events/{id}': {
    get: {
      summary: 'A calendar event',
      tag,
      auth: 'session',
      machines: true,
      params: idParams,
      responses: { 200: { description: 'The event', ...one }, 404: notFound },
    },
    patch: {
      summary: 'Change a calendar event',
      description: `A moved event is announced again; so is one with another customer or assignee. What was changed of one occurrence alone stays when its series changes. Another repeat begins with this event: of a series with scope=following. ${customers}`,
      tag,
      auth: 'session',
      params: idParams,
      query: scopeQuery,
      body: eventChangesSchema,
      bodyExample: { event_datetime: '2026-11-28T19:30:00+01:00' },
      responses: { 200: { description: 'The event', ...one }, 404: notFound, 409: edited },
    },
    delete: {
      summary: 'Delete a calendar event',
      tag,
      auth: 'session',
      params: idParams,
      query: scopeQuery,
      responses: { 204: { description: 'Deleted' }, 404: notFound },
    },
  },
})
