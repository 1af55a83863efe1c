import { expect } from 'vitest'
import { ISO, type Row, UUID } from '../row'
import { afterwards, all, given, without } from './arrange'
import { about } from './cases'

const LIST = 'GET /api/service'
const FIND = 'GET /api/service/find'
const LINES = 'GET /api/service/parties/{id}'
const TAPS = 'POST /api/service/taps'
const ID = 'a0000000-0000-4000-8000-00000000005e'
const NOWHERE = 'a0000000-0000-4000-8000-0000000000ff'
const OTHER = 'a0000000-0000-4000-8000-00000000005f'
const KEY = 'c0000000-0000-4000-8000-000000000001'
const NEXT_KEY = 'c0000000-0000-4000-8000-000000000002'
const DAY = '2031-06-10'

const booked = all(
  afterwards('delete from private.service_taps'),
  without('delete from public.dining_tables'),
  given('reservations', ({ location }) => ({
    ...{
      id: ID,
      location_id: location('Alfa'),
      source: 'manual',
      customer_name: 'Ana Ruiz',
      status: 'confirmed',
    },
    ...{ reservation_date: DAY, reservation_time: '21:00', party_size: 4, notes: 'Alérgica al gluten' },
  })),
)
const party = {
  ...{ id: ID, time: '21:00', shift_id: null, name: 'Ana Ruiz', party_size: 4, status: 'confirmed' },
  phone: null,
  readable_phone: null,
  ...{
    table_name: null,
    tables: [],
    joined_to: null,
    zone_name: null,
    arrived_at: null,
    seated_at: null,
    finished_at: null,
    walk_in: false,
    late_minutes: null,
    from_pms: false,
  },
  ...{
    notes: 'Alérgica al gluten',
    customer_id: null,
    customer_notes: null,
    tags: [],
    tier: null,
    vip: false,
  },
  ...{ birthday_in: null, first_visit: false, allergies: [], facts: [], suggested: ['gluten'], no_shows: 0 },
  usual_table: null,
  risk: {
    ...{ level: 'low', probability: expect.any(Number), bookings: 0, no_shows: 0 },
    ...{ confirmed: false, lead_days: expect.any(Number), party_size: 4 },
  },
}
const seat = { key: KEY, action: 'seat', reservation_id: ID, seen: 'confirmed', table_name: '12' }
const at =
  (place: string, changes: object = {}) =>
  ({ location }: { location: (name: string) => string }) => ({ location_id: location(place), ...changes })

const other = given('reservations', ({ location }) => ({
  ...{ id: OTHER, location_id: location('Alfa'), source: 'manual', customer_name: 'Luis Gil' },
  ...{ reservation_date: DAY, reservation_time: '21:30', party_size: 2, table_name: '12' },
}))

/** The service of a location, and what staff tap in it. */
export const serviceModeRows: Row[] = [
  {
    name: 'gives the parties of a day with what to know about them',
    section: 'our own: service',
    as: 'operaciones',
    request: { operation: LIST, query: ({ location }) => `?location_id=${location('Alfa')}&date=${DAY}` },
    arrange: booked,
    answers: {
      status: 200,
      body: ({ location }) => ({
        data: {
          ...{
            location: { id: location('Alfa'), name: 'Alfa', timezone: 'Europe/Madrid', stay_minutes: null },
            day: DAY,
            at: ISO,
          },
          ...{ closed: null, closings: [], shifts: [], tables: [], waiting: [], parties: [party] },
        },
      }),
    },
  },
  {
    name: 'finds a reservation of any day by words of its name and note',
    section: 'our own: service',
    as: 'sala',
    request: { operation: FIND, query: () => '?search=ruiz%20ana' },
    arrange: booked,
    answers: {
      status: 200,
      body: ({ location }) => ({
        data: [
          {
            ...{ id: ID, location_id: location('Alfa'), location_name: 'Alfa', service_date: DAY },
            ...{ days: expect.any(Number), time: '21:00', name: 'Ana Ruiz', party_size: 4 },
            ...{ status: 'confirmed', table_name: null, tables: [], allergies: [] },
          },
        ],
      }),
    },
  },
  {
    name: 'says what to know of a party, each part with its source',
    section: 'our own: service',
    as: 'sala',
    request: { operation: LINES, id: ID },
    arrange: booked,
    answers: {
      status: 200,
      body: ({ location }) => {
        const source = { kind: 'booking', id: ID, location_id: location('Alfa'), date: DAY }
        return {
          data: {
            today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
            who: {
              ...{ visits: null, here: null, first_visit: false, last: null, usual: null, tier: null },
              ...{ withheld: false, source: null },
            },
            avoid: [{ kind: 'allergy', code: 'gluten', note: null, suggested: true, source }],
            todo: [{ kind: 'note', text: 'Alérgica al gluten', source }],
          },
        }
      },
    },
  },
  {
    name: 'knows no party that is none',
    section: 'our own: service',
    as: 'operaciones',
    request: { operation: LINES, id: NOWHERE },
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'refuses an id of a party that is none',
    section: 'our own: service',
    as: 'operaciones',
    request: { operation: LINES, id: 'x' },
    answers: { status: 400, body: about('id') },
  },
  {
    name: 'refuses a search of more than 200 characters',
    section: 'our own: service',
    as: 'operaciones',
    request: { operation: FIND, query: () => `?search=${'x'.repeat(201)}` },
    answers: { status: 400, body: about('search') },
  },
  {
    name: 'refuses a date that does not exist',
    section: 'our own: service',
    as: 'operaciones',
    request: { operation: LIST, query: ({ location }) => `?location_id=${location('Alfa')}&date=2031-02-30` },
    answers: { status: 400, body: about('date') },
  },
  {
    name: 'finds no service of a location where the person does not work',
    section: 'our own: service',
    as: 'bound',
    request: { operation: LIST, query: ({ location }) => `?location_id=${location('Bravo')}` },
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'takes a tap once',
    section: 'our own: service',
    as: 'operaciones',
    request: { operation: TAPS, body: (world) => at('Alfa', { taps: [seat, seat] })(world) },
    arrange: booked,
    answers: {
      status: 200,
      body: {
        data: [
          { key: KEY, outcome: 'saved', reservation_id: ID },
          { key: KEY, outcome: 'repeated' },
        ],
      },
    },
  },
  {
    name: 'gives a reservation a table',
    section: 'our own: service',
    as: 'sala',
    request: {
      operation: TAPS,
      body: (world) => at('Alfa', { taps: [{ ...seat, action: 'assign' }] })(world),
    },
    arrange: booked,
    answers: { status: 200, body: { data: [{ key: KEY, outcome: 'saved', reservation_id: ID }] } },
  },
  {
    name: 'cancels a reservation and sets it back',
    section: 'our own: service',
    as: 'sala',
    request: {
      operation: TAPS,
      body: (world) =>
        at('Alfa', {
          taps: [
            { key: KEY, action: 'cancel', reservation_id: ID, seen: 'confirmed' },
            { key: NEXT_KEY, action: 'set_back', reservation_id: ID, seen: 'cancelled', to: 'expected' },
          ],
        })(world),
    },
    arrange: booked,
    answers: {
      status: 200,
      body: {
        data: [
          { key: KEY, outcome: 'saved', reservation_id: ID },
          { key: NEXT_KEY, outcome: 'saved', reservation_id: ID },
        ],
      },
    },
  },
  {
    name: 'takes a party without a reservation',
    section: 'our own: service',
    as: 'operaciones',
    request: {
      operation: TAPS,
      body: (world) => at('Alfa', { taps: [{ key: KEY, action: 'walk_in', party_size: 2 }] })(world),
    },
    arrange: afterwards('delete from public.reservations where walk_in'),
    answers: { status: 200, body: { data: [{ key: KEY, outcome: 'saved', reservation_id: UUID }] } },
  },
  {
    name: 'says which tap no longer fits, and changes nothing',
    section: 'our own: service',
    as: 'operaciones',
    request: {
      operation: TAPS,
      body: (world) => at('Alfa', { taps: [{ ...seat, seen: 'cancelled' }] })(world),
    },
    arrange: booked,
    answers: { status: 200, body: { data: [{ key: KEY, outcome: 'conflict', reservation_id: ID }] } },
  },
  {
    name: 'says who has the table, and changes nothing',
    section: 'our own: service',
    as: 'operaciones',
    request: {
      operation: TAPS,
      body: (world) => at('Alfa', { taps: [{ ...seat, action: 'assign' }] })(world),
    },
    arrange: all(booked, other),
    answers: {
      status: 200,
      body: {
        data: [
          {
            ...{ key: KEY, outcome: 'table_taken', questions: ['TABLE_TAKEN'], reservation_id: ID },
            current: { reservation_id: OTHER, customer_name: 'Luis Gil', from: '21:30', until: '23:00' },
          },
        ],
      },
    },
  },
  {
    name: 'has a party sit with another one at its table, and on its own again',
    section: 'our own: service',
    as: 'sala',
    request: {
      operation: TAPS,
      body: (world) =>
        at('Alfa', {
          taps: [
            { key: KEY, action: 'join', reservation_id: ID, seen: 'confirmed', to: OTHER, table_name: '12' },
            { key: NEXT_KEY, action: 'join', reservation_id: ID, to: null, tables: [] },
          ],
        })(world),
    },
    arrange: all(booked, other),
    answers: {
      status: 200,
      body: {
        data: [
          { key: KEY, outcome: 'saved', reservation_id: ID },
          { key: NEXT_KEY, outcome: 'saved', reservation_id: ID },
        ],
      },
    },
  },
  {
    name: 'has no party sit with itself',
    section: 'our own: service',
    as: 'operaciones',
    request: {
      operation: TAPS,
      body: (world) =>
        at('Alfa', { taps: [{ key: KEY, action: 'join', reservation_id: ID, to: ID }] })(world),
    },
    arrange: booked,
    answers: { status: 200, body: { data: [{ key: KEY, outcome: 'conflict', reservation_id: ID }] } },
  },
  {
    name: 'gives a reservation no tables that the location does not have',
    section: 'our own: service',
    as: 'sala',
    request: {
      operation: TAPS,
      body: (world) =>
        at('Alfa', { taps: [{ key: KEY, action: 'assign', reservation_id: ID, tables: ['Z9'] }] })(world),
    },
    arrange: booked,
    answers: { status: 200, body: { data: [{ key: KEY, outcome: 'malformed', reservation_id: ID }] } },
  },
  {
    name: 'refuses a table twice in a tap',
    section: 'our own: service',
    as: 'sala',
    request: {
      operation: TAPS,
      body: (world) =>
        at('Alfa', { taps: [{ key: KEY, action: 'assign', reservation_id: ID, tables: ['4', '4'] }] })(world),
    },
    answers: { status: 400, body: about('taps.0.tables') },
  },
  {
    name: 'refuses an unknown action',
    section: 'our own: service',
    as: 'operaciones',
    request: {
      operation: TAPS,
      body: (world) => at('Alfa', { taps: [{ key: KEY, action: 'dance' }] })(world),
    },
    answers: { status: 400, body: about('taps.0.action') },
  },
  {
    name: 'takes no tap in a location where the person does not work',
    section: 'our own: service',
    as: 'bound',
    request: { operation: TAPS, body: (world) => at('Bravo', { taps: [seat] })(world) },
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'takes no tap in an unknown location',
    section: 'our own: service',
    as: 'operaciones',
    request: { operation: TAPS, body: { location_id: NOWHERE, taps: [seat] } },
    answers: { status: 404, body: { error: 'Not found' } },
  },
]
