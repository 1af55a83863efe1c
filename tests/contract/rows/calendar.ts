import { ISO, type Row, UUID } from '../row'
import type { World } from '../world'
import { afterwards, all, given } from './arrange'
import { about, editedMeanwhile } from './cases'

const ID = 'e0000000-0000-4000-8000-000000000001'
const LIST = 'GET /api/calendar-events'
const CREATE = 'POST /api/calendar-events'
const ONE = '/api/calendar-events/{id}'
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
      starts_on: null,
      ends_on: null,
      series_id: null,
      repeat: null,
      ...changes,
    },
  })
const tidy = afterwards(`delete from public.calendar_events where title = '${tasting.title}'`)

/** Calendar events. */
export const calendarRows: Row[] = [
  editedMeanwhile(`PATCH ${ONE}`, 'title', { as: 'rrhh', id: ID, given: event() }),
  {
    name: 'lists the event in the period',
    section: 'our own: calendar-events',
    as: 'rrhh',
    request: { operation: LIST, query: '?from=2031-05-10T00:00:00Z&to=2031-05-11T00:00:00Z' },
    arrange: event(),
    answers: { status: 200, body: (world) => ({ data: [shown()(world).data], next_cursor: null }) },
  },
  {
    name: 'lists nothing of a location where the person does not work',
    section: 'our own: calendar-events',
    as: 'bound',
    request: { operation: LIST, query: '?from=2031-05-10T00:00:00Z' },
    arrange: event('Bravo'),
    answers: { status: 200, body: { data: [], next_cursor: null } },
  },
  {
    name: 'refuses an instant without an offset',
    section: 'our own: calendar-events',
    as: 'rrhh',
    request: { operation: LIST, query: '?from=2031-05-10T00:00:00' },
    answers: { status: 400, body: about('from') },
  },
  {
    name: 'creates it',
    section: 'our own: calendar-events',
    as: 'rrhh',
    request: {
      operation: CREATE,
      body: ({ location }) => ({
        ...tasting,
        event_datetime: '2031-05-10T19:30:00+02:00',
        location_id: location('Alfa'),
      }),
    },
    arrange: tidy,
    answers: { status: 201, body: shown({ id: UUID }) },
  },
  {
    name: 'creates the first of a series, by days',
    section: 'our own: calendar-events',
    as: 'rrhh',
    request: {
      operation: CREATE,
      body: ({ location }) => ({
        ...{ title: tasting.title, description: tasting.description, location_id: location('Alfa') },
        ...{ starts_on: '2031-05-10', repeat: { frequency: 'weekly', count: 2 } },
      }),
    },
    arrange: all(afterwards('delete from private.calendar_series'), tidy),
    answers: {
      status: 201,
      body: shown({
        id: UUID,
        ...{ event_datetime: '2031-05-09T22:00:00.000Z', ends_at: '2031-05-10T22:00:00.000Z' },
        ...{ starts_on: '2031-05-10', ends_on: '2031-05-10', series_id: UUID },
        repeat: { frequency: 'weekly', every: 1, weekdays: [6], until: null, count: 2 },
      }),
    },
  },
  {
    name: 'refuses a rule with two ends',
    section: 'our own: calendar-events',
    as: 'rrhh',
    request: {
      operation: CREATE,
      body: { ...tasting, repeat: { frequency: 'daily', count: 2, until: '2031-06-01' } },
    },
    answers: { status: 400, body: about('repeat.count') },
  },
  {
    name: 'refuses a body without a title',
    section: 'our own: calendar-events',
    as: 'rrhh',
    request: { operation: CREATE, body: { event_datetime: BEGINS } },
    answers: { status: 400, body: about('title') },
  },
  {
    name: 'refuses an event that ends before it begins',
    section: 'our own: calendar-events',
    as: 'rrhh',
    request: { operation: CREATE, body: { ...tasting, ends_at: '2031-05-10T17:29:00Z' } },
    answers: { status: 400, body: { error: 'ends_at: before event_datetime' } },
  },
  {
    name: 'refuses a location of another organization',
    section: 'our own: calendar-events',
    as: 'rrhh',
    request: { operation: CREATE, body: ({ location }) => ({ ...tasting, location_id: location('Este') }) },
    answers: {
      status: 400,
      body: {
        error: 'location_id: not one of your locations',
      },
    },
  },
  {
    name: 'refuses an assignee of another organization',
    section: 'our own: calendar-events',
    as: 'rrhh',
    request: { operation: CREATE, body: ({ id }) => ({ ...tasting, assignee_id: id('stranger') }) },
    answers: { status: 400, body: { error: 'assignee_id: no such person' } },
  },
  {
    name: 'refuses an unknown customer',
    section: 'our own: calendar-events',
    as: 'operaciones',
    request: { operation: CREATE, body: { ...tasting, customer_id: ID } },
    answers: { status: 400, body: { error: 'customer_id: no such customer' } },
  },
  {
    name: 'refuses a customer when the role lacks canAccessClientes',
    section: 'our own: calendar-events',
    as: 'rrhh',
    request: { operation: CREATE, body: { ...tasting, customer_id: ID } },
    answers: { status: 403, body: { error: 'Forbidden' } },
  },
  {
    name: 'gives it',
    section: 'our own: calendar-events',
    as: 'rrhh',
    request: { operation: `GET ${ONE}`, id: ID },
    arrange: event(),
    answers: { status: 200, body: shown() },
  },
  {
    name: 'finds nothing in a location where the person does not work',
    section: 'our own: calendar-events',
    as: 'bound',
    request: { operation: `GET ${ONE}`, id: ID },
    arrange: event('Bravo'),
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'changes it',
    section: 'our own: calendar-events',
    as: 'rrhh',
    request: { operation: `PATCH ${ONE}`, id: ID, body: { title: 'Cata', reminder_minutes: 30 } },
    arrange: event(),
    answers: { status: 200, body: shown({ title: 'Cata', reminder_minutes: 30 }) },
  },
  {
    name: 'refuses a change that ends the event before it begins',
    section: 'our own: calendar-events',
    as: 'rrhh',
    request: { operation: `PATCH ${ONE}`, id: ID, body: { ends_at: '2031-05-10T17:29:00Z' } },
    arrange: event(),
    answers: { status: 400, body: { error: 'ends_at: before event_datetime' } },
  },
  {
    name: 'refuses a scope that there is not',
    section: 'our own: calendar-events',
    as: 'rrhh',
    request: { operation: `PATCH ${ONE}`, id: ID, query: '?scope=some', body: { title: 'Cata' } },
    arrange: event(),
    answers: { status: 400, body: about('scope') },
  },
  {
    name: 'deletes it with all of its series',
    section: 'our own: calendar-events',
    as: 'rrhh',
    request: { operation: `DELETE ${ONE}`, id: ID, query: '?scope=all' },
    arrange: event(),
    answers: { status: 204 },
  },
  {
    name: 'deletes it',
    section: 'our own: calendar-events',
    as: 'rrhh',
    request: { operation: `DELETE ${ONE}`, id: ID },
    arrange: event(),
    answers: { status: 204 },
  },
]
