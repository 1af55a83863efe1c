import { expect } from 'vitest'
import { PASSWORD } from '../../factories/group'
import { type Arrange, COUNT, error, ISO, KNOWN_UNTIL, type Row, TEXT, UUID, unexpected } from '../row'
import { pmsDown } from './arrange'

const REPORT = { lines: expect.any(Array), app_url: expect.any(String), now: ISO }
const LOCATIONS = ['Alfa', 'Bravo', 'Charlie']

/** Health, sync, sign-in, organization, the description. */
export const serviceRows: Row[] = [
  {
    name: 'reports healthy when the database answers',
    section: 'GET /api/health',
    as: 'visitor',
    request: { operation: 'GET /api/health' },
    answers: {
      status: 200,
      body: { status: 'healthy', database: 'connected', timestamp: ISO, version: '1.0.0' },
    },
  },
  {
    name: 'reports unhealthy when the database does not answer',
    section: 'Errors: 503 health check database failure',
    as: 'visitor',
    request: { operation: 'GET /api/health' },
    databaseDown: true,
    answers: { status: 503, body: { status: 'unhealthy', error: TEXT } },
  },
  {
    name: 'checks the installation for the person who runs it',
    section: 'our own: the check of an installation',
    as: 'cron',
    request: { operation: 'GET /api/installation' },
    answers: { status: 200, body: REPORT },
  },
  {
    name: 'checks the installation also when the database does not answer',
    section: 'our own: the check of an installation',
    as: 'cron',
    request: { operation: 'GET /api/installation' },
    databaseDown: true,
    answers: { status: 200, body: REPORT },
  },
  {
    name: 'synchronises every location for the scheduler',
    section: 'POST /api/sync',
    as: 'cron',
    request: { operation: 'POST /api/sync' },
    answers: {
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
  },
  {
    name: 'names a failing location in errors and synchronises the others',
    section: 'POST /api/sync',
    as: 'cron',
    request: { operation: 'POST /api/sync' },
    arrange: async ({ pms }) => {
      pms.setFault('bravo', { kind: 'error', status: 404 })
      return async () => pms.clearFaults()
    },
    answers: {
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
  },
  {
    name: 'refuses a wrong secret',
    section: 'Errors: 401 cron/sync secret missing or wrong',
    as: 'visitor',
    request: { operation: 'POST /api/sync', headers: { authorization: 'Bearer wrong' } },
    answers: { status: 401, body: error('Unauthorized') },
  },
  {
    name: 'refuses a call without secret, session or body',
    section: 'our own: neither Authorization nor body nor cookie',
    as: 'visitor',
    request: { operation: 'POST /api/sync' },
    answers: { status: 401, body: error('Unauthorized') },
  },
  {
    name: 'synchronises for a person who names the source',
    section: 'POST /api/sync (variant)',
    as: 'rrhh',
    request: { operation: 'POST /api/sync', body: { source: 'pms' } },
    answers: {
      status: 200,
      body: { success: true, synced_reservations: COUNT, synced_customers: COUNT, errors: [] },
    },
  },
  {
    name: 'refuses another source',
    section: 'Errors: 400 sync source invalid (variant)',
    as: 'rrhh',
    request: { operation: 'POST /api/sync', body: { source: 'excel' } },
    answers: { status: 400, body: error('Invalid sync source') },
  },
  {
    name: 'refuses a body without a session',
    section: 'Errors: 401 no user (variant)',
    as: 'visitor',
    request: { operation: 'POST /api/sync', body: { source: 'pms' } },
    answers: { status: 401, body: error('Unauthorized') },
  },
  {
    name: 'refuses a session without a body',
    section: 'our own: a session cookie chooses the variant',
    as: 'rrhh',
    request: { operation: 'POST /api/sync' },
    answers: { status: 400, body: error('Invalid sync source') },
  },
  {
    name: 'fails for a person when no PMS is enabled',
    section: 'POST /api/sync (variant): 500 on failure',
    as: 'rrhh',
    request: { operation: 'POST /api/sync', body: { source: 'pms' } },
    arrange: noPms,
    answers: { status: 500, body: error('PMS integration is not configured') },
  },
  {
    name: 'refuses a person while another run holds the lease',
    section: 'our own: concurrent syncs',
    as: 'rrhh',
    request: { operation: 'POST /api/sync', body: { source: 'pms' } },
    arrange: holdSync,
    answers: { status: 409, body: error('Sync already running') },
  },
  {
    name: 'fails for the scheduler when every location fails',
    section: 'our own: every location failed',
    as: 'cron',
    request: { operation: 'POST /api/sync' },
    arrange: pmsDown,
    answers: {
      status: 500,
      body: error(
        expect.stringMatching(/^No location could be synchronised: Alfa: .*; Bravo: .*; Charlie: /),
      ),
    },
  },
  {
    name: 'fails for a person when every location fails',
    section: 'our own: every location failed',
    as: 'rrhh',
    request: { operation: 'POST /api/sync', body: { source: 'pms' } },
    arrange: pmsDown,
    answers: {
      status: 500,
      body: error(expect.stringMatching(/^No location could be synchronised: Alfa: /)),
    },
  },
  {
    name: 'fails when no PMS is enabled',
    section: 'POST /api/sync: 500 on failure; our own addition',
    as: 'cron',
    request: { operation: 'POST /api/sync' },
    arrange: noPms,
    answers: { status: 500, body: error('PMS integration is not configured') },
  },
  {
    name: 'refuses while another run holds the lease',
    section: 'our own: concurrent syncs',
    as: 'cron',
    request: { operation: 'POST /api/sync' },
    arrange: holdSync,
    answers: { status: 409, body: error('Sync already running') },
  },
  {
    name: 'fails when the database does not answer',
    section: 'our own: unexpected errors',
    as: 'cron',
    request: { operation: 'POST /api/sync' },
    databaseDown: true,
    answers: { status: 500, body: unexpected },
  },
  {
    name: 'signs in with the right e-mail and password',
    section: 'our own: sign-in',
    as: 'visitor',
    request: {
      operation: 'POST /api/auth/sign-in',
      body: ({ email }) => ({ email: email('admin'), password: PASSWORD }),
    },
    answers: {
      status: 200,
      body: ({ email }) => ({ success: true, user: { id: UUID, email: email('admin'), role: 'admin' } }),
    },
  },
  {
    name: 'refuses a wrong password',
    section: 'our own: sign-in',
    as: 'visitor',
    request: {
      operation: 'POST /api/auth/sign-in',
      body: ({ email }) => ({ email: email('admin'), password: 'wrong-password' }),
    },
    answers: { status: 401, body: error('Credenciales no válidas') },
  },
  {
    name: 'signs out at any time',
    section: 'our own: sign-out',
    as: 'visitor',
    request: { operation: 'POST /api/auth/sign-out' },
    answers: { status: 200, body: { success: true } },
  },
  {
    name: 'gives the organization of the session and ignores orgId',
    section: 'GET /api/organization/context',
    as: 'rrhh',
    request: { operation: 'GET /api/organization/context', query: '?orgId=another' },
    answers: {
      status: 200,
      body: ({ group }) => ({
        success: true,
        data: { id: group.id, name: TEXT, slug: TEXT, isPlatformAdminView: false },
        isPlatformAdmin: false,
      }),
    },
  },
  {
    name: 'gives no organization without a session',
    section: 'GET /api/organization/context; our own addition',
    as: 'visitor',
    request: { operation: 'GET /api/organization/context' },
    answers: {
      status: 200,
      body: {
        success: true,
        data: null,
        isPlatformAdmin: false,
        message: 'No hay organización activa',
      },
    },
  },
  {
    name: 'fails when the database does not answer',
    section: 'GET /api/organization/context: 500',
    as: 'rrhh',
    request: { operation: 'GET /api/organization/context' },
    databaseDown: true,
    answers: { status: 500, body: { success: false, error: TEXT } },
  },
  {
    name: 'gives a location-bound person their assignments',
    section: 'GET /api/organization/context (variant)',
    as: 'bound',
    request: { operation: 'GET /api/organization/context', query: '?view=assignments' },
    answers: {
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
            quiet_from: null,
            quiet_until: null,
            is_active: true,
            stay_minutes: null,
            review_urls: [],
            known_until: KNOWN_UNTIL,
            brand: { id: UUID, name: TEXT, slug: TEXT },
          },
        ],
        brand_ids: [UUID],
      }),
    },
  },
  {
    name: 'refuses the assignments without a session',
    section: 'GET /api/organization/context (variant): 401',
    as: 'visitor',
    request: { operation: 'GET /api/organization/context', query: '?view=assignments' },
    answers: { status: 401, body: error('Unauthorized') },
  },
  {
    name: 'gives the document to anyone',
    section: 'GET /api/docs/openapi.yaml',
    as: 'visitor',
    request: { operation: 'GET /api/docs/openapi.yaml' },
    answers: { status: 200, headers: { 'content-type': 'application/x-yaml' } },
  },
]

async function holdSync({ stack, group }: Parameters<Arrange>[0]) {
  const name = `sync:${group.id}`
  await stack.sql(
    `insert into public.job_leases values ($1, gen_random_uuid(), now() + interval '60 seconds')`,
    [name],
  )
  return () => stack.sql('delete from public.job_leases where name = $1', [name])
}

async function noPms({ stack }: Parameters<Arrange>[0]) {
  await stack.sql('update public.integration_configs set is_enabled = false')
  return () => stack.sql('update public.integration_configs set is_enabled = true')
}
