import { type Row, UUID } from '../row'
import { afterwards, given } from './arrange'
import { about, byId, cases, notFor, signedOut } from './cases'

const ID = 'a0000000-0000-4000-8000-000000000001'
// One that no other row changes.
const UNTOUCHED = 'a0000000-0000-4000-8000-000000000005'
const LIST = 'GET /api/reservations'
const CREATE = 'POST /api/reservations'
const ONE = '/api/reservations/{id}'
const ACTIVITY = `GET ${ONE}/activity`
const BY_ID = [`GET ${ONE}`, ACTIVITY, `PATCH ${ONE}`]
const ALL = [LIST, CREATE, ...BY_ID]
const DAY = '2031-05-10'

const table = {
  external_id: null,
  customer_id: null,
  customer_name: 'Ana Ruiz',
  reservation_date: DAY,
  reservation_time: '21:00',
  party_size: 4,
  status: 'confirmed',
  notes: null,
  total_amount: null,
  source: 'manual',
  zone_name: 'Terraza',
  table_name: null,
}
// What follows from the rest: the day is far ahead, so nothing is known of the visit yet.
const derived = { pms_status: null, visited: null }
const booked = (changes: object = {}, place = 'Alfa') =>
  given('reservations', ({ location }) => ({ id: ID, location_id: location(place), ...table, ...changes }))
const shown =
  (changes: object = {}) =>
  ({ location }: { location: (name: string) => string }) => ({
    data: { id: ID, location_id: location('Alfa'), ...table, ...derived, ...changes },
  })
const fields = { customer_name: 'Ana Ruiz', reservation_date: DAY, reservation_time: '21:00', party_size: 4 }
const inAlfa =
  (changes: object = {}, place = 'Alfa') =>
  ({ location }: { location: (name: string) => string }) => ({
    location_id: location(place),
    ...fields,
    ...changes,
  })
const tidy = afterwards(`delete from public.reservations where reservation_date = '${DAY}'`)
const unknownPlace = { error: 'location_id: Unknown location' }

const reservation = cases('decisions §8: reservations', 'operaciones')

/** Reservations: a service day, one of them, changes by hand. */
export const reservationRows: Row[] = [
  ...signedOut(ALL),
  ...notFor('pr_comunicacion', 'canAccessOperaciones', ALL),
  ...byId(BY_ID, { as: 'operaciones', id: ID, given: booked(), json: { [`PATCH ${ONE}`]: { notes: 'x' } } }),
  reservation('the day has one', LIST, 200, (world) => ({ data: [shown()(world).data], next_cursor: null }), {
    query: ({ location }) => `?date=${DAY}&status=confirmed,seated&location_id=${location('Alfa')}`,
    arrange: booked(),
  }),
  reservation(
    'the day has one in another’s location',
    LIST,
    200,
    { data: [], next_cursor: null },
    {
      as: 'bound',
      query: `?date=${DAY}`,
      arrange: booked({}, 'Bravo'),
    },
  ),
  reservation('the date is none', LIST, 400, about('date'), { query: '?date=2031-02-30' }),
  reservation('a status is unknown', LIST, 400, about('status.0'), { query: '?status=gone' }),
  reservation(
    'it is created',
    CREATE,
    201,
    (world) => ({
      data: { ...shown({ status: 'pending', zone_name: null })(world).data, id: UUID },
    }),
    { json: inAlfa(), arrange: tidy },
  ),
  reservation('the party size is missing', CREATE, 400, about('party_size'), {
    json: inAlfa({ party_size: undefined }),
  }),
  reservation('the location is another organization’s', CREATE, 400, unknownPlace, {
    json: inAlfa({}, 'Este'),
  }),
  reservation('the location is none of the caller’s', CREATE, 400, unknownPlace, {
    as: 'bound',
    json: inAlfa({}, 'Bravo'),
  }),
  reservation(
    'the customer is unknown',
    CREATE,
    400,
    { error: 'customer_id: Unknown customer' },
    {
      json: inAlfa({ customer_id: ID }),
    },
  ),
  reservation('it is there', `GET ${ONE}`, 200, shown(), { id: ID, arrange: booked() }),
  reservation(
    'it is in none of the caller’s locations',
    `GET ${ONE}`,
    404,
    { error: 'Not found' },
    {
      as: 'bound',
      id: ID,
      arrange: booked({}, 'Bravo'),
    },
  ),
  reservation('it changes', `PATCH ${ONE}`, 200, shown({ status: 'seated', table_name: '12' }), {
    id: ID,
    json: { status: 'seated', table_name: '12' },
    arrange: booked(),
  }),
  reservation('the status is unknown', `PATCH ${ONE}`, 400, about('status'), {
    id: ID,
    json: { status: 'gone' },
  }),
  reservation(
    'nothing was changed yet',
    ACTIVITY,
    200,
    { data: [] },
    { id: UNTOUCHED, arrange: booked({ id: UNTOUCHED }) },
  ),
  reservation(
    'the PMS keeps the field',
    `PATCH ${ONE}`,
    409,
    {
      error: 'This reservation is managed by the PMS',
    },
    {
      id: ID,
      json: { party_size: 3 },
      arrange: booked({ source: 'pms', external_id: 'contract-pms' }),
    },
  ),
  reservation(
    'it is the PMS’, and the amount changes',
    `PATCH ${ONE}`,
    200,
    shown({
      source: 'pms',
      external_id: 'contract-pms',
      total_amount: 120.5,
    }),
    {
      id: ID,
      json: { total_amount: 120.5 },
      arrange: booked({ source: 'pms', external_id: 'contract-pms' }),
    },
  ),
]
