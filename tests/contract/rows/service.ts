import { expect } from 'vitest'
import { PASSWORD } from '../../factories/group'
import { COUNT, error, ISO, type Row, TEXT, UUID, unexpected } from '../row'

const LOCATIONS = ['Alfa', 'Bravo', 'Charlie']

/** Health, sync, sign-in, organization, the description. */
export const serviceRows: Row[] = [
  {
    section: 'GET /api/health',
    when: 'the database answers',
    as: 'nobody',
    call: 'GET /api/health',
    status: 200,
    body: () => ({ status: 'healthy', database: 'connected', timestamp: ISO, version: '1.0.0' }),
  },
  {
    section: 'Errors: 503 health check database failure',
    when: 'the database does not answer',
    as: 'nobody',
    call: 'GET /api/health',
    databaseDown: true,
    status: 503,
    body: () => ({ status: 'unhealthy', error: TEXT }),
  },
  {
    section: 'POST /api/sync',
    when: 'the scheduler calls it',
    as: 'cron',
    call: 'POST /api/sync',
    status: 200,
    body: ({ location }) => ({
      success: true,
      synced: COUNT,
      created: COUNT,
      updated: COUNT,
      locations: LOCATIONS.map((name) => ({
        locationId: location(name),
        locationName: name,
        count: COUNT,
      })),
      errors: [],
    }),
  },
  {
    section: 'POST /api/sync',
    when: 'a location fails: it is in errors and the others are synchronised',
    as: 'cron',
    call: 'POST /api/sync',
    arrange: async ({ pms }) => {
      pms.setFault('bravo', { kind: 'error', status: 404 })
      return async () => pms.clearFaults()
    },
    status: 200,
    body: ({ location }) => ({
      success: true,
      synced: COUNT,
      created: COUNT,
      updated: COUNT,
      locations: LOCATIONS.map((name) => ({
        locationId: location(name),
        locationName: name,
        count: COUNT,
      })),
      errors: [expect.stringMatching(/^Bravo: /)],
    }),
  },
  {
    section: 'Errors: 401 cron/sync secret missing or wrong',
    when: 'the secret is wrong',
    as: 'nobody',
    call: 'POST /api/sync',
    send: () => ({ headers: { authorization: 'Bearer wrong' } }),
    status: 401,
    body: error('Unauthorized'),
  },
  {
    section: 'decisions §1: neither Authorization nor body nor cookie',
    when: 'nothing says who asks',
    as: 'nobody',
    call: 'POST /api/sync',
    status: 401,
    body: error('Unauthorized'),
  },
  {
    section: 'POST /api/sync (variant)',
    when: 'a person asks with the source',
    as: 'rrhh',
    call: 'POST /api/sync',
    send: () => ({ body: { source: 'pms' } }),
    status: 200,
    body: () => ({ success: true, synced_reservations: COUNT, synced_customers: COUNT, errors: [] }),
  },
  {
    section: 'Errors: 400 sync source invalid (variant)',
    when: 'the source is another one',
    as: 'rrhh',
    call: 'POST /api/sync',
    send: () => ({ body: { source: 'excel' } }),
    status: 400,
    body: error('Invalid sync source'),
  },
  {
    section: 'Errors: 401 no user (variant)',
    when: 'a body without session',
    as: 'nobody',
    call: 'POST /api/sync',
    send: () => ({ body: { source: 'pms' } }),
    status: 401,
    body: error('Unauthorized'),
  },
  {
    section: 'decisions §1: a session cookie chooses the variant',
    when: 'a session and no body',
    as: 'rrhh',
    call: 'POST /api/sync',
    status: 400,
    body: error('Invalid sync source'),
  },
  {
    section: 'POST /api/sync (variant): 500 on failure',
    when: 'a person asks and no PMS is enabled',
    as: 'rrhh',
    call: 'POST /api/sync',
    arrange: noPms,
    send: () => ({ body: { source: 'pms' } }),
    status: 500,
    body: error('PMS integration is not configured'),
  },
  {
    section: 'decisions §3: concurrent syncs',
    when: 'a person asks and another run holds the lease',
    as: 'rrhh',
    call: 'POST /api/sync',
    arrange: holdSync,
    send: () => ({ body: { source: 'pms' } }),
    status: 409,
    body: error('Sync already running'),
  },
  {
    section: 'POST /api/sync: 500 on failure; decisions §3',
    when: 'no PMS is enabled',
    as: 'cron',
    call: 'POST /api/sync',
    arrange: noPms,
    status: 500,
    body: error('PMS integration is not configured'),
  },
  {
    section: 'decisions §3: concurrent syncs',
    when: 'another run holds the lease',
    as: 'cron',
    call: 'POST /api/sync',
    arrange: holdSync,
    status: 409,
    body: error('Sync already running'),
  },
  {
    section: 'decisions §1: unexpected errors',
    when: 'the database does not answer',
    as: 'cron',
    call: 'POST /api/sync',
    databaseDown: true,
    status: 500,
    body: unexpected,
  },
  {
    section: 'decisions §2: sign-in',
    when: 'e-mail and password are right',
    as: 'nobody',
    call: 'POST /api/auth/sign-in',
    send: ({ email }) => ({ body: { email: email('admin'), password: PASSWORD } }),
    status: 200,
    body: ({ email }) => ({ success: true, user: { id: UUID, email: email('admin'), role: 'admin' } }),
  },
  {
    section: 'decisions §2: sign-in',
    when: 'the password is wrong',
    as: 'nobody',
    call: 'POST /api/auth/sign-in',
    send: ({ email }) => ({ body: { email: email('admin'), password: 'wrong-password' } }),
    status: 401,
    body: error('Credenciales no válidas'),
  },
  {
    section: 'decisions §2: sign-out',
    when: 'at any time',
    as: 'nobody',
    call: 'POST /api/auth/sign-out',
    status: 200,
    body: () => ({ success: true }),
  },
  {
    section: 'GET /api/organization/context',
    when: 'there is a session; orgId is ignored',
    as: 'rrhh',
    call: 'GET /api/organization/context',
    path: () => '/api/organization/context?orgId=another',
    status: 200,
    body: ({ group }) => ({
      success: true,
      data: { id: group.id, name: TEXT, slug: TEXT, isPlatformAdminView: false },
      isPlatformAdmin: false,
    }),
  },
  {
    section: 'GET /api/organization/context; decisions §2',
    when: 'there is no session',
    as: 'nobody',
    call: 'GET /api/organization/context',
    status: 200,
    body: () => ({
      success: true,
      data: null,
      isPlatformAdmin: false,
      message: 'No hay organización activa',
    }),
  },
  {
    section: 'GET /api/organization/context: 500',
    when: 'the database does not answer',
    as: 'rrhh',
    call: 'GET /api/organization/context',
    databaseDown: true,
    status: 500,
    body: () => ({ success: false, error: TEXT }),
  },
  {
    section: 'GET /api/organization/context (variant)',
    when: 'view=assignments, someone bound to a location',
    as: 'bound',
    call: 'GET /api/organization/context',
    path: () => '/api/organization/context?view=assignments',
    status: 200,
    body: ({ location }) => ({
      user_id: UUID,
      locations: [
        {
          id: location('Alfa'),
          name: 'Alfa',
          city: null,
          address: null,
          brand_id: UUID,
          pms_id: 'alfa',
          timezone: 'Europe/Madrid',
          average_spend_per_guest: 30,
          count_unmarked_visits: true,
          is_active: true,
          brand: { id: UUID, name: TEXT, slug: TEXT },
        },
      ],
      brand_ids: [UUID],
    }),
  },
  {
    section: 'GET /api/organization/context (variant): 401',
    when: 'view=assignments without a session',
    as: 'nobody',
    call: 'GET /api/organization/context',
    path: () => '/api/organization/context?view=assignments',
    status: 401,
    body: error('Unauthorized'),
  },
  {
    section: 'GET /api/docs/openapi.yaml',
    when: 'always',
    as: 'nobody',
    call: 'GET /api/docs/openapi.yaml',
    status: 200,
    headers: { 'content-type': 'application/x-yaml' },
  },
]

async function holdSync({ stack, group }: Parameters<NonNullable<Row['arrange']>>[0]) {
  const name = `sync:${group.id}`
  await stack.sql(
    `insert into public.job_leases values ($1, gen_random_uuid(), now() + interval '60 seconds')`,
    [name],
  )
  return () => stack.sql('delete from public.job_leases where name = $1', [name])
}

async function noPms({ stack }: Parameters<NonNullable<Row['arrange']>>[0]) {
  await stack.sql('update public.integration_configs set is_enabled = false')
  return () => stack.sql('update public.integration_configs set is_enabled = true')
}
