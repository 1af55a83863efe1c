import { ISO, type Row, UUID } from '../row'
import { afterwards, all, given } from './arrange'
import { about } from './cases'

const ID = 'a0000000-0000-4000-8000-0000000000aa'
const NOWHERE = 'a0000000-0000-4000-8000-0000000000ff'
const LIST = 'GET /api/waitlist'
const JOIN = 'POST /api/waitlist'
const CHANGE = 'PATCH /api/waitlist/{id}'

const ana = { name: 'Ana Ruiz', phone: '+34600111222', party_size: 4, quoted_minutes: 25, notes: null }
const shown = (id: unknown) => ({
  ...{ id, ...ana, readable_phone: '+34 600 11 12 22' },
  ...{ joined_at: ISO, called_at: null, message: null, offer: null },
})
const tidy = all(
  afterwards('delete from public.waitlist'),
  afterwards(`delete from public.messages where purpose = 'waitlist_call'`),
  afterwards('delete from private.service_taps'),
  afterwards('delete from public.reservations where walk_in'),
)
const waits = (changes: object = {}) =>
  all(
    tidy,
    given('waitlist', ({ location }) => ({ id: ID, location_id: location('Alfa'), ...ana, ...changes })),
  )
const inAlfa =
  (changes: object = {}) =>
  ({ location }: { location: (name: string) => string }) => ({
    location_id: location('Alfa'),
    ...ana,
    ...changes,
  })
const done = (changes: object = {}) => ({ data: { id: ID, reservation_id: null, channel: null, ...changes } })
const change = (name: string, body: object, answer: object, changes: object = {}): Row => ({
  name,
  section: 'our own: waitlist',
  as: 'operaciones',
  request: { operation: CHANGE, id: ID, body },
  arrange: waits(changes),
  answers: { status: 200, body: answer },
})

/** Who waits for a table. */
export const waitlistRows: Row[] = [
  {
    name: 'lists who waits',
    section: 'our own: waitlist',
    as: 'operaciones',
    request: { operation: LIST, query: ({ location }) => `?location_id=${location('Alfa')}` },
    arrange: waits(),
    answers: { status: 200, body: { data: [shown(ID)] } },
  },
  {
    name: 'finds no waitlist of a location where the person does not work',
    section: 'our own: waitlist',
    as: 'bound',
    request: { operation: LIST, query: ({ location }) => `?location_id=${location('Bravo')}` },
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'refuses a location that is no id',
    section: 'our own: waitlist',
    as: 'operaciones',
    request: { operation: LIST, query: '?location_id=x' },
    answers: { status: 400, body: about('location_id') },
  },
  {
    name: 'adds a party',
    section: 'our own: waitlist',
    as: 'operaciones',
    request: { operation: JOIN, body: (world) => inAlfa({ phone: '600 11 12 22' })(world) },
    arrange: tidy,
    answers: { status: 201, body: { data: shown(UUID) } },
  },
  {
    name: 'refuses a party of nobody',
    section: 'our own: waitlist',
    as: 'operaciones',
    request: { operation: JOIN, body: (world) => inAlfa({ party_size: 0 })(world) },
    answers: { status: 400, body: about('party_size') },
  },
  {
    name: 'adds no party in an unknown location',
    section: 'our own: waitlist',
    as: 'operaciones',
    request: { operation: JOIN, body: { ...ana, location_id: NOWHERE } },
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'adds no party to 200 that wait',
    section: 'our own: waitlist',
    as: 'operaciones',
    request: { operation: JOIN, body: inAlfa() },
    arrange: all(tidy, async ({ stack, location }) => {
      await stack.sql(
        `insert into public.waitlist (organization_id, location_id, name, party_size)
         select organization_id, id, 'x', 2 from public.locations, generate_series(1, 200) where id = $1`,
        [location('Alfa')],
      )
    }),
    answers: { status: 409, body: { error: 'There are 200 parties waiting already' } },
  },
  change('calls a party by SMS', { action: 'call' }, done({ channel: 'sms' })),
  change('has staff call by voice who left no phone', { action: 'call' }, done(), { phone: null }),
  change('seats a party as a walk-in', { action: 'seat', table_name: '4' }, done({ reservation_id: UUID })),
  change('lets a party go', { action: 'leave' }, done()),
  change('brings back a party that left', { action: 'return' }, done(), {
    outcome: 'left',
    ended_at: '2026-11-20T20:00:00Z',
  }),
  {
    name: 'calls nobody twice',
    section: 'our own: waitlist',
    as: 'operaciones',
    request: { operation: CHANGE, id: ID, body: { action: 'call' } },
    arrange: waits({ called_at: '2026-11-20T20:00:00Z' }),
    answers: { status: 409, body: { error: 'Changed by someone else meanwhile' } },
  },
  {
    name: 'refuses an unknown action',
    section: 'our own: waitlist',
    as: 'operaciones',
    request: { operation: CHANGE, id: ID, body: { action: 'dance' } },
    answers: { status: 400, body: about('action') },
  },
]
