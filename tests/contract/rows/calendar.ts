import { ISO, type Row, UUID } from '../row'
import type { World } from '../world'
import { afterwards, given } from './arrange'
import { about, byId, cases, signedOut } from './cases'

const ID = 'e0000000-0000-4000-8000-000000000001'
const LIST = 'GET /api/calendar-events'
const CREATE = 'POST /api/calendar-events'
const ONE = '/api/calendar-events/{id}'
const BY_ID = [`GET ${ONE}`, `PATCH ${ONE}`, `DELETE ${ONE}`]
const BEGINS = '2031-05-10T17:30:00.000Z'
const ENDS = '2031-05-10T19:30:00.000Z'

const tasting = {
  title: 'Cata del contrato',
  description: 'Mesa alta',
  event_datetime: BEGINS,
  ends_at: ENDS,
}
const event = (place = 'Alfa') =>
  given('calendar_events', ({ location, id }) => ({
    id: ID,
    ...tasting,
    location_id: location(place),
    created_by: id('rrhh'),
  }))
const shown =
  (changes: object = {}) =>
  ({ location, id }: World) => ({
    data: {
      id: ID,
      ...tasting,
      location_id: location('Alfa'),
      customer_id: null,
      assignee_id: null,
      assignee_name: null,
      notification_sent: false,
      reminder_minutes: 60,
      reminder_sent: false,
      created_by: id('rrhh'),
      created_at: ISO,
      ...changes,
    },
  })
const tidy = afterwards(`delete from public.calendar_events where title = '${tasting.title}'`)

const calendar = cases('decisions §8: calendar-events', 'rrhh')

/** Calendar events. */
export const calendarRows: Row[] = [
  ...signedOut([LIST, CREATE, ...BY_ID]),
  ...byId(BY_ID, { as: 'rrhh', id: ID, given: event(), json: { [`PATCH ${ONE}`]: { title: 'x' } } }),
  calendar(
    'there is one in the period',
    LIST,
    200,
    (world) => ({ data: [shown()(world).data], next_cursor: null }),
    {
      query: '?from=2031-05-10T00:00:00Z&to=2031-05-11T00:00:00Z',
      arrange: event(),
    },
  ),
  calendar(
    'it is in none of the caller’s locations',
    LIST,
    200,
    { data: [], next_cursor: null },
    {
      as: 'bound',
      query: '?from=2031-05-10T00:00:00Z',
      arrange: event('Bravo'),
    },
  ),
  calendar('an instant has no offset', LIST, 400, about('from'), { query: '?from=2031-05-10T00:00:00' }),
  calendar('it is created', CREATE, 201, shown({ id: UUID }), {
    json: ({ location }) => ({
      ...tasting,
      event_datetime: '2031-05-10T19:30:00+02:00',
      location_id: location('Alfa'),
    }),
    arrange: tidy,
  }),
  calendar('the title is missing', CREATE, 400, about('title'), { json: { event_datetime: BEGINS } }),
  calendar(
    'it ends before it begins',
    CREATE,
    400,
    { error: 'ends_at: before event_datetime' },
    {
      json: { ...tasting, ends_at: '2031-05-10T17:29:00Z' },
    },
  ),
  calendar(
    'the location is another organization’s',
    CREATE,
    400,
    {
      error: 'location_id: not one of your locations',
    },
    { json: ({ location }) => ({ ...tasting, location_id: location('Este') }) },
  ),
  calendar(
    'the assignee is another organization’s',
    CREATE,
    400,
    { error: 'assignee_id: no such person' },
    {
      json: ({ id }) => ({ ...tasting, assignee_id: id('stranger') }),
    },
  ),
  calendar(
    'the customer is unknown',
    CREATE,
    400,
    { error: 'customer_id: no such customer' },
    {
      as: 'operaciones',
      json: { ...tasting, customer_id: ID },
    },
  ),
  calendar(
    'a customer is set without canAccessClientes',
    CREATE,
    403,
    { error: 'Forbidden' },
    {
      json: { ...tasting, customer_id: ID },
    },
  ),
  calendar('it is there', `GET ${ONE}`, 200, shown(), { id: ID, arrange: event() }),
  calendar(
    'it is in none of the caller’s locations',
    `GET ${ONE}`,
    404,
    { error: 'Not found' },
    {
      as: 'bound',
      id: ID,
      arrange: event('Bravo'),
    },
  ),
  calendar('it changes', `PATCH ${ONE}`, 200, shown({ title: 'Cata', reminder_minutes: 30 }), {
    id: ID,
    json: { title: 'Cata', reminder_minutes: 30 },
    arrange: event(),
  }),
  calendar(
    'it would end before it begins',
    `PATCH ${ONE}`,
    400,
    { error: 'ends_at: before event_datetime' },
    {
      id: ID,
      json: { ends_at: '2031-05-10T17:29:00Z' },
      arrange: event(),
    },
  ),
  calendar('it is deleted', `DELETE ${ONE}`, 204, undefined, { id: ID, arrange: event() }),
]
