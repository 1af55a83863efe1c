import { expect } from 'vitest'
import { type Arrange, COUNT, error, type Row, TEXT, UUID } from '../row'
import type { World } from '../world'

const TODAY = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)

const bookToday: Arrange = async ({ stack, group, location }) => {
  const today = new Date().toISOString().slice(0, 10)
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_name, reservation_date,
       reservation_time, party_size, external_id)
     values ($1, $2, 'Ana Ruiz', $3, '00:00', 4, 'contract-today')`,
    [group.id, location('Alfa'), today],
  )
  return () => stack.sql(`delete from public.reservations where external_id = 'contract-today'`)
}

/** The other organization has what it began with. */
async function clear({ stack, other, location }: World) {
  await stack.sql('delete from public.locations where organization_id = $1 and id <> $2', [
    other.id,
    location('Este'),
  ])
  await stack.sql(
    `delete from public.brands b where organization_id = $1
       and not exists (select from public.locations l where l.brand_id = b.id)`,
    [other.id],
  )
}

/** Admin utilities; the import has its own table. */
export const adminRows: Row[] = [
  {
    name: 'lists the reservations of today',
    section: 'GET /api/admin/debug-reservations; our own: no reservations of other locations',
    as: 'bound',
    request: { operation: 'GET /api/admin/debug-reservations' },
    arrange: bookToday,
    answers: {
      status: 200,
      body: ({ location }) => ({
        count: COUNT,
        today: TODAY,
        reservations: expect.arrayContaining([
          {
            id: UUID,
            external_id: 'contract-today',
            location_id: location('Alfa'),
            customer_id: null,
            customer_name: 'Ana Ruiz',
            reservation_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00$/),
            reservation_time: '00:00',
            party_size: 4,
            pax: 4,
            status: 'pending',
            pms_status: null,
            visited: null,
            notes: null,
            total_amount: null,
            source: 'manual',
            zone_name: null,
            table_name: null,
            tables: [],
            allergies: [],
            locations: { name: 'Alfa' },
            customers: null,
          },
        ]),
      }),
    },
  },
  {
    name: 'refuses a caller without a session',
    section: 'our own: PERM without a session',
    as: 'visitor',
    request: { operation: 'GET /api/admin/debug-reservations' },
    answers: { status: 401, body: error('Unauthorized') },
  },
  {
    name: 'refuses a role without canAccessOperaciones',
    section: 'our own: PERM without the permission',
    as: 'rrhh',
    request: { operation: 'GET /api/admin/debug-reservations' },
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'fails when the database does not answer',
    section: 'GET /api/admin/debug-reservations: 500',
    as: 'super_admin',
    request: { operation: 'GET /api/admin/debug-reservations' },
    databaseDown: true,
    answers: { status: 500, body: { error: TEXT, status: 500 } },
  },
  {
    name: 'creates all seed brands and locations',
    section: 'GET /api/admin/seed-locations',
    as: 'stranger',
    request: { operation: 'GET /api/admin/seed-locations' },
    arrange: async (world) => {
      await clear(world)
      return () => clear(world)
    },
    answers: {
      status: 200,
      body: {
        success: true,
        seeded: { brands: Array(3).fill(TEXT), locations: Array(5).fill(TEXT) },
      },
    },
  },
  {
    name: 'creates nothing the second time',
    section: 'GET /api/admin/seed-locations: idempotent',
    as: 'stranger',
    request: { operation: 'GET /api/admin/seed-locations' },
    arrange: async (world) => {
      await world.client('stranger').request('GET', '/api/admin/seed-locations')
      return () => clear(world)
    },
    answers: { status: 200, body: { success: true, seeded: { brands: [], locations: [] } } },
  },
  {
    name: 'refuses a caller without a session',
    section: 'our own: PERM without a session',
    as: 'visitor',
    request: { operation: 'GET /api/admin/seed-locations' },
    answers: { status: 401, body: error('Unauthorized') },
  },
  {
    name: 'refuses a role without canViewSettings',
    section: 'Errors: 403 role not allowed',
    as: 'operaciones',
    request: { operation: 'GET /api/admin/seed-locations' },
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'fails when the database does not answer',
    section: 'GET /api/admin/seed-locations: error',
    as: 'admin',
    request: { operation: 'GET /api/admin/seed-locations' },
    databaseDown: true,
    answers: { status: 500, body: { success: false, error: TEXT, status: 500 } },
  },
]
