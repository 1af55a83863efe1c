import { type Arrange, type Row, UUID } from '../row'
import { all, given } from './arrange'
import { about } from './cases'

const ID = 'b0000000-0000-4000-8000-000000000003'
const CLOSING_ID = 'b0000000-0000-4000-8000-0000000000c1'
const HOURS = '/api/locations/{id}/hours'
const TABLES = '/api/locations/{id}/tables'
const CLOSINGS = '/api/locations/{id}/closings'

const shift = { name: 'Cena', weekdays: [4, 5, 6], opens: '20:00', closes: '00:30', capacity: 90 }
const hours = { shifts: [shift], closed_days: [{ day: '2026-12-25', name: 'Navidad' }] }
const table = {
  ...{ zone: 'Terraza', name: '12', capacity: 4, is_active: true },
  ...{ plan_x: 39, plan_y: 29, shape: 'rectangle', turned: true, joinable: false },
}
const withoutPlan = {
  zone: table.zone,
  name: table.name,
  capacity: table.capacity,
  is_active: table.is_active,
}
const venue = given('locations', () => ({ id: ID, name: 'Casa Contrato' }))
const alfa = ({ location }: { location: (name: string) => string }) => location('Alfa')
const closing = { day: '2033-12-25', shift: null, zone: null, reason: 'Navidad' }
const section = 'our own: hours and tables of a location'

/** When a location serves, and its tables. */
export const locationSetupRows: Row[] = [
  {
    name: 'gives none of a location where none were saved',
    section,
    as: 'bound',
    request: { operation: `GET ${HOURS}`, id: alfa },
    answers: { status: 200, body: { data: { shifts: [], closed_days: [] } } },
  },
  {
    name: 'finds nothing in a location where the person does not work',
    section,
    as: 'bound',
    request: { operation: `GET ${HOURS}`, id: ({ location }) => location('Bravo') },
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'replaces them',
    section,
    as: 'admin',
    request: { operation: `PUT ${HOURS}`, id: ID, body: hours },
    arrange: venue,
    answers: { status: 200, body: { data: hours } },
  },
  {
    name: 'refuses a capacity that is no whole number',
    section,
    as: 'admin',
    request: { operation: `PUT ${HOURS}`, id: ID, body: { ...hours, shifts: [{ ...shift, capacity: 1.5 }] } },
    answers: { status: 400, body: about('shifts.0.capacity') },
  },
  {
    name: 'refuses shifts that overlap on a day',
    section,
    as: 'admin',
    request: {
      operation: `PUT ${HOURS}`,
      id: ID,
      body: { ...hours, shifts: [shift, { ...shift, name: 'Copas', opens: '00:00', closes: '03:00' }] },
    },
    arrange: venue,
    answers: { status: 400, body: { error: 'shifts: Shifts of one day must not overlap' } },
  },
  {
    name: 'refuses a closed day twice',
    section,
    as: 'admin',
    request: {
      operation: `PUT ${HOURS}`,
      id: ID,
      body: { ...hours, closed_days: [...hours.closed_days, ...hours.closed_days] },
    },
    arrange: venue,
    answers: { status: 409, body: { error: 'Already exists' } },
  },
  {
    name: 'closes a day, and says whom it concerns',
    section,
    as: 'admin',
    request: { operation: `POST ${CLOSINGS}`, id: ID, body: { day: closing.day, reason: 'Navidad' } },
    arrange: venue,
    answers: {
      status: 201,
      body: { data: { id: UUID, ...closing }, reservations: [] },
    },
  },
  {
    name: 'gives the closings',
    section,
    as: 'rrhh',
    request: { operation: `GET ${CLOSINGS}`, id: ID },
    arrange: all(venue, withClosing),
    answers: { status: 200, body: { data: [{ id: CLOSING_ID, ...closing }] } },
  },
  {
    name: 'refuses a closing that is there',
    section,
    as: 'admin',
    request: { operation: `POST ${CLOSINGS}`, id: ID, body: { day: closing.day, reason: 'Otra' } },
    arrange: all(venue, withClosing),
    answers: { status: 409, body: { error: 'Already exists' } },
  },
  {
    name: 'refuses a closing without a reason',
    section,
    as: 'admin',
    request: { operation: `POST ${CLOSINGS}`, id: ID, body: { day: closing.day } },
    arrange: venue,
    answers: { status: 400, body: about('reason') },
  },
  {
    name: 'opens what was closed',
    section,
    as: 'admin',
    request: { operation: `DELETE ${CLOSINGS}/{closingId}`, id: ID, second: CLOSING_ID },
    arrange: all(venue, withClosing),
    answers: { status: 204 },
  },
  {
    name: 'gives those that the PMS or staff named',
    section,
    as: 'rrhh',
    request: { operation: `GET ${TABLES}`, id: ID },
    arrange: all(venue, withTable),
    answers: { status: 200, body: { data: [table] } },
  },
  {
    name: 'replaces them',
    section,
    as: 'admin',
    request: { operation: `PUT ${TABLES}`, id: ID, body: { tables: [table] } },
    arrange: venue,
    answers: { status: 200, body: { data: [table] } },
  },
  {
    name: 'keeps the plan of a table that is sent without it',
    section,
    as: 'admin',
    request: { operation: `PUT ${TABLES}`, id: ID, body: { tables: [withoutPlan] } },
    arrange: all(venue, withTable),
    answers: { status: 200, body: { data: [table] } },
  },
  {
    name: 'refuses half a place on the plan',
    section,
    as: 'admin',
    request: { operation: `PUT ${TABLES}`, id: ID, body: { tables: [{ ...withoutPlan, plan_x: 3 }] } },
    answers: { status: 400, body: about('tables.0.plan_y') },
  },
  {
    name: 'refuses a table without a name',
    section,
    as: 'admin',
    request: { operation: `PUT ${TABLES}`, id: ID, body: { tables: [{ ...table, name: ' ' }] } },
    answers: { status: 400, body: about('tables.0.name') },
  },
  {
    name: 'refuses a name that is there twice',
    section,
    as: 'admin',
    request: { operation: `PUT ${TABLES}`, id: ID, body: { tables: [table, { ...table, zone: null }] } },
    arrange: venue,
    answers: { status: 409, body: { error: 'Already exists' } },
  },
]

/** A closing of the location of these rows; it goes with the location. */
async function withClosing({ stack }: Parameters<Arrange>[0]) {
  await stack.sql(
    `insert into public.closed_days (id, organization_id, location_id, day, name)
     select $2, organization_id, id, $3, $4 from public.locations where id = $1`,
    [ID, CLOSING_ID, closing.day, closing.reason],
  )
  return undefined
}

/** A table of the location of these rows; it goes with the location. */
async function withTable({ stack }: Parameters<Arrange>[0]) {
  await stack.sql(
    `insert into public.dining_tables (organization_id, location_id, zone, name, capacity,
       plan_x, plan_y, shape, turned, joinable)
     select organization_id, id, 'Terraza', '12', 4, 39, 29, 'rectangle', true, false
     from public.locations where id = $1`,
    [ID],
  )
  return undefined
}
