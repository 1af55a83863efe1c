import { type Row, UUID } from '../row'
import { afterwards, all, given } from './arrange'
import { about, editedMeanwhile } from './cases'

const ID = 'a0000000-0000-4000-8000-000000000001'
// One that no other row changes.
const UNTOUCHED = 'a0000000-0000-4000-8000-000000000005'
const LIST = 'GET /api/reservations'
const CREATE = 'POST /api/reservations'
const ONE = '/api/reservations/{id}'
const ACTIVITY = `GET ${ONE}/activity`
const EXPORT = 'GET /api/reservations/export'
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
const derived = { pms_status: null, visited: null, allergies: [], tables: [] }
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
const exported = afterwards(
  `delete from public.audit_log where action in ('reservations.exported', 'reservations.export_ended')`,
)
const unknownPlace = { error: 'location_id: Unknown location' }

/** Reservations: a service day, one of them, changes by hand. */
export const reservationRows: Row[] = [
  editedMeanwhile(`PATCH ${ONE}`, 'notes', { as: 'operaciones', id: ID, given: booked() }),
  ...(['csv', 'xlsx'] as const).map(
    (format): Row => ({
      name: `gives the reservations of a day as a file (${format})`,
      section: 'our own: reservations',
      as: 'operaciones',
      request: { operation: EXPORT, query: `?date=${DAY}&format=${format}` },
      arrange: all(booked(), exported),
      answers: {
        status: 200,
        headers: { 'content-disposition': `attachment; filename="reservations-${DAY}.${format}"` },
      },
    }),
  ),
  {
    name: 'refuses a file of more than 31 days',
    section: 'our own: reservations',
    as: 'operaciones',
    request: { operation: EXPORT, query: `?date=${DAY}&until=2031-06-10` },
    answers: { status: 400, body: about('until') },
  },
  {
    name: 'lists the reservation of the day',
    section: 'our own: reservations',
    as: 'operaciones',
    request: {
      operation: LIST,
      query: ({ location }) => `?date=${DAY}&status=confirmed,seated&location_id=${location('Alfa')}`,
    },
    arrange: booked(),
    answers: { status: 200, body: (world) => ({ data: [shown()(world).data], next_cursor: null }) },
  },
  {
    name: 'lists no reservation of a location where the person does not work',
    section: 'our own: reservations',
    as: 'bound',
    request: { operation: LIST, query: `?date=${DAY}` },
    arrange: booked({}, 'Bravo'),
    answers: { status: 200, body: { data: [], next_cursor: null } },
  },
  {
    name: 'refuses a date that does not exist',
    section: 'our own: reservations',
    as: 'operaciones',
    request: { operation: LIST, query: '?date=2031-02-30' },
    answers: { status: 400, body: about('date') },
  },
  {
    name: 'refuses an unknown status',
    section: 'our own: reservations',
    as: 'operaciones',
    request: { operation: LIST, query: '?status=gone' },
    answers: { status: 400, body: about('status.0') },
  },
  {
    name: 'creates it',
    section: 'our own: reservations',
    as: 'operaciones',
    request: { operation: CREATE, body: inAlfa() },
    arrange: tidy,
    answers: {
      status: 201,
      body: (world) => ({
        data: { ...shown({ status: 'pending', zone_name: null })(world).data, id: UUID },
      }),
    },
  },
  {
    name: 'asks before it changes a service that is over',
    section: 'our own: questions',
    as: 'operaciones',
    request: { operation: CREATE, body: inAlfa({ reservation_date: '2020-05-10' }) },
    answers: {
      status: 409,
      body: { error: 'The service is over: confirm it', code: 'SERVICE_OVER', questions: ['SERVICE_OVER'] },
    },
  },
  {
    name: 'creates it when that is confirmed',
    section: 'our own: questions',
    as: 'operaciones',
    request: {
      operation: CREATE,
      body: inAlfa({ reservation_date: '2020-05-10', confirm: ['service_over'] }),
    },
    arrange: afterwards(`delete from public.reservations where reservation_date = '2020-05-10'`),
    answers: { status: 201 },
  },
  {
    name: 'says who has the table at that time',
    section: 'our own: questions',
    as: 'operaciones',
    request: { operation: CREATE, body: inAlfa({ table_name: 'Z9', reservation_time: '22:00' }) },
    arrange: all(booked({ table_name: 'Z9' }), tidy),
    answers: {
      status: 409,
      body: {
        error: 'Another party has the table at that time: confirm it, or choose another table',
        code: 'TABLE_TAKEN',
        questions: ['TABLE_TAKEN'],
        current: { reservation_id: ID, customer_name: 'Ana Ruiz', from: '21:00', until: '23:00' },
      },
    },
  },
  {
    name: 'refuses a table that the location does not have',
    section: 'our own: reservations',
    as: 'operaciones',
    request: { operation: CREATE, body: inAlfa({ tables: ['Z9'] }) },
    answers: { status: 400, body: about('tables') },
  },
  {
    name: 'refuses a time that the clocks skip',
    section: 'our own: questions',
    as: 'operaciones',
    request: {
      operation: CREATE,
      body: inAlfa({ reservation_date: '2032-03-28', reservation_time: '02:30' }),
    },
    answers: { status: 400, body: { error: 'reservation_time: The clocks skip this time' } },
  },
  {
    name: 'refuses a body without a party size',
    section: 'our own: reservations',
    as: 'operaciones',
    request: { operation: CREATE, body: inAlfa({ party_size: undefined }) },
    answers: { status: 400, body: about('party_size') },
  },
  {
    name: 'refuses a location of another organization',
    section: 'our own: reservations',
    as: 'operaciones',
    request: { operation: CREATE, body: inAlfa({}, 'Este') },
    answers: { status: 400, body: unknownPlace },
  },
  {
    name: 'refuses a location where the person does not work',
    section: 'our own: reservations',
    as: 'bound',
    request: { operation: CREATE, body: inAlfa({}, 'Bravo') },
    answers: { status: 400, body: unknownPlace },
  },
  {
    name: 'refuses an unknown customer',
    section: 'our own: reservations',
    as: 'operaciones',
    request: { operation: CREATE, body: inAlfa({ customer_id: ID }) },
    answers: { status: 400, body: { error: 'customer_id: Unknown customer' } },
  },
  {
    name: 'gives it',
    section: 'our own: reservations',
    as: 'operaciones',
    request: { operation: `GET ${ONE}`, id: ID },
    arrange: booked(),
    answers: { status: 200, body: shown() },
  },
  {
    name: 'finds nothing in a location where the person does not work',
    section: 'our own: reservations',
    as: 'bound',
    request: { operation: `GET ${ONE}`, id: ID },
    arrange: booked({}, 'Bravo'),
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'changes it',
    section: 'our own: reservations',
    as: 'operaciones',
    request: { operation: `PATCH ${ONE}`, id: ID, body: { status: 'seated', table_name: '12' } },
    arrange: booked(),
    answers: { status: 200, body: shown({ status: 'seated', table_name: '12', tables: ['12'] }) },
  },
  {
    name: 'refuses an unknown status',
    section: 'our own: reservations',
    as: 'operaciones',
    request: { operation: `PATCH ${ONE}`, id: ID, body: { status: 'gone' } },
    answers: { status: 400, body: about('status') },
  },
  {
    name: 'gives no activity before the first change',
    section: 'our own: reservations',
    as: 'operaciones',
    request: { operation: ACTIVITY, id: UNTOUCHED },
    arrange: booked({ id: UNTOUCHED }),
    answers: { status: 200, body: { data: [] } },
  },
  {
    name: 'refuses to change a field that the PMS manages',
    section: 'our own: reservations',
    as: 'operaciones',
    request: { operation: `PATCH ${ONE}`, id: ID, body: { party_size: 3 } },
    arrange: booked({ source: 'pms', external_id: 'contract-pms' }),
    answers: {
      status: 409,
      body: {
        error: 'This reservation is managed by the PMS',
      },
    },
  },
  {
    name: 'changes the amount of a reservation of the PMS',
    section: 'our own: reservations',
    as: 'operaciones',
    request: { operation: `PATCH ${ONE}`, id: ID, body: { total_amount: 120.5 } },
    arrange: booked({ source: 'pms', external_id: 'contract-pms' }),
    answers: {
      status: 200,
      body: shown({
        source: 'pms',
        external_id: 'contract-pms',
        total_amount: 120.5,
      }),
    },
  },
]
