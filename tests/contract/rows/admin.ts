import { expect } from 'vitest'
import { COUNT, error, type Row, TEXT, UUID } from '../row'
import type { World } from '../world'

const TODAY = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)

const bookToday: Row['arrange'] = async ({ stack, group, location }) => {
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
    section: 'GET /api/admin/debug-reservations; decisions §7',
    when: 'there are reservations today',
    as: 'bound',
    call: 'GET /api/admin/debug-reservations',
    arrange: bookToday,
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
          locations: { name: 'Alfa' },
          customers: null,
        },
      ]),
    }),
  },
  {
    section: 'decisions §2: PERM without a session',
    when: 'there is no session',
    as: 'nobody',
    call: 'GET /api/admin/debug-reservations',
    status: 401,
    body: error('Unauthorized'),
  },
  {
    section: 'decisions §2: PERM without the permission',
    when: 'the role lacks canAccessOperaciones',
    as: 'rrhh',
    call: 'GET /api/admin/debug-reservations',
    status: 403,
    body: error('Forbidden'),
  },
  {
    section: 'GET /api/admin/debug-reservations: 500',
    when: 'the database does not answer',
    as: 'super_admin',
    call: 'GET /api/admin/debug-reservations',
    databaseDown: true,
    status: 500,
    body: () => ({ error: TEXT, status: 500 }),
  },
  {
    section: 'GET /api/admin/seed-locations',
    when: 'nothing of it is there',
    as: 'stranger',
    call: 'GET /api/admin/seed-locations',
    arrange: async (world) => {
      await clear(world)
      return () => clear(world)
    },
    status: 200,
    body: () => ({
      success: true,
      seeded: { brands: Array(3).fill(TEXT), locations: Array(5).fill(TEXT) },
    }),
  },
  {
    section: 'GET /api/admin/seed-locations: idempotent',
    when: 'all of it is there',
    as: 'stranger',
    call: 'GET /api/admin/seed-locations',
    arrange: async (world) => {
      await world.client('stranger').request('GET', '/api/admin/seed-locations')
      return () => clear(world)
    },
    status: 200,
    body: () => ({ success: true, seeded: { brands: [], locations: [] } }),
  },
  {
    section: 'decisions §2: PERM without a session',
    when: 'there is no session',
    as: 'nobody',
    call: 'GET /api/admin/seed-locations',
    status: 401,
    body: error('Unauthorized'),
  },
  {
    section: 'Errors: 403 role not allowed',
    when: 'the role lacks canViewSettings',
    as: 'operaciones',
    call: 'GET /api/admin/seed-locations',
    status: 403,
    body: error('Forbidden'),
  },
  {
    section: 'GET /api/admin/seed-locations: error',
    when: 'the database does not answer',
    as: 'admin',
    call: 'GET /api/admin/seed-locations',
    databaseDown: true,
    status: 500,
    body: () => ({ success: false, error: TEXT, status: 500 }),
  },
]
