import { expect } from 'vitest'
import { type Arrange, COUNT, error, ISO, type Row, TEXT, unexpected, withoutFunction } from '../row'
import { pmsDown } from './arrange'

const NAMES = [
  'sync',
  'calendar-notifications',
  'calendar-reminders',
  'ticket-notifications',
  'ticket-reminders',
  'automations',
]
const LOCATIONS = ['Alfa', 'Bravo', 'Charlie']
const NOTHING = { endpoint: '/api/cron/calendar-notifications', error: 'No notifications to send' }

const NONE_SYNCED = expect.stringMatching(/^No location could be synchronised: Alfa: /)

const noPms: Arrange = async ({ stack }) => {
  await stack.sql('update public.integration_configs set is_enabled = false')
  return () => stack.sql('update public.integration_configs set is_enabled = true')
}
const syncSummary = () => ({
  success: true,
  timestamp: ISO,
  summary: LOCATIONS.map((location) => ({ location, result: { status: 'success', reservations: COUNT } })),
})
const jobBody = () => ({ success: true, timestamp: ISO, sent: COUNT, failed: COUNT })
const automationsBody = () => ({
  success: true,
  timestamp: ISO,
  total: COUNT,
  executed: COUNT,
  failed: COUNT,
  statistics: { totalProcessed: COUNT, totalSent: COUNT, totalSkipped: COUNT, totalFailed: COUNT },
  details: expect.any(Array),
})

/** No job can begin. */
const noLeases = withoutFunction('acquire_lease(text, uuid, integer)')

const refused: Row[] = ['master', ...NAMES].flatMap((name): Row[] => [
  {
    name: 'refuses a call without the secret',
    section: 'Authentication: CRON',
    as: 'visitor',
    request: { operation: `GET /api/cron/${name}` },
    answers: { status: 401, body: error('Unauthorized') },
  },
  {
    name: 'refuses a wrong secret',
    section: 'Authentication: CRON; a session is no secret',
    as: 'super_admin',
    request: { operation: `GET /api/cron/${name}`, headers: { authorization: 'Bearer wrong' } },
    answers: { status: 401, body: error('Unauthorized') },
  },
])

/** The scheduler's endpoints. */
export const cronRows: Row[] = [
  ...refused,
  {
    name: 'runs every job and skips notifications without a near event',
    section: 'GET /api/cron/master',
    as: 'cron',
    request: { operation: 'GET /api/cron/master' },
    answers: {
      status: 200,
      body: {
        success: true,
        master: true,
        timestamp: ISO,
        results: [
          { endpoint: '/api/cron/sync', status: 200, data: syncSummary() },
          NOTHING,
          ...['calendar-reminders', 'ticket-notifications', 'ticket-reminders'].map((name) => ({
            endpoint: `/api/cron/${name}`,
            status: 200,
            data: jobBody(),
          })),
          { endpoint: '/api/cron/automations', status: 200, data: automationsBody() },
        ],
      },
    },
  },
  {
    name: 'reports the error of one job and runs the others',
    section: 'GET /api/cron/master: cron resilience',
    as: 'cron',
    request: { operation: 'GET /api/cron/master' },
    arrange: noPms,
    answers: {
      status: 200,
      body: {
        success: true,
        master: true,
        timestamp: ISO,
        results: [
          { endpoint: '/api/cron/sync', error: 'PMS integration is not configured' },
          NOTHING,
          ...Array.from({ length: 4 }, () => expect.objectContaining({ status: 200 })),
        ],
      },
    },
  },
  {
    name: 'reports that every location failed to synchronise',
    section: 'our own: every location failed',
    as: 'cron',
    request: { operation: 'GET /api/cron/master' },
    arrange: pmsDown,
    answers: {
      status: 200,
      body: {
        success: true,
        master: true,
        timestamp: ISO,
        results: [
          { endpoint: '/api/cron/sync', error: NONE_SYNCED },
          NOTHING,
          ...Array.from({ length: 4 }, () => expect.objectContaining({ status: 200 })),
        ],
      },
    },
  },
  {
    name: 'fails when every location fails',
    section: 'our own: every location failed',
    as: 'cron',
    request: { operation: 'GET /api/cron/sync' },
    arrange: pmsDown,
    answers: { status: 500, body: error(NONE_SYNCED) },
  },
  {
    name: 'reports an error for every job when the database fails',
    section: 'GET /api/cron/master: cron resilience',
    as: 'cron',
    request: { operation: 'GET /api/cron/master' },
    arrange: noLeases,
    answers: {
      status: 200,
      body: {
        success: true,
        master: true,
        timestamp: ISO,
        results: NAMES.map((name) => ({ endpoint: `/api/cron/${name}`, error: TEXT })),
      },
    },
  },
  {
    name: 'runs three jobs in parallel',
    section: 'GET /api/cron/master (variant)',
    as: 'cron',
    request: { operation: 'GET /api/cron/master', query: '?mode=parallel' },
    answers: {
      status: 200,
      body: {
        executed_at: ISO,
        tasks: [
          { name: 'sync', status: 'success' },
          { name: 'automations', status: 'success' },
          { name: 'calendar-notifications', status: 'success' },
        ],
      },
    },
  },
  {
    name: 'reports the one of three parallel jobs that fails',
    section: 'GET /api/cron/master (variant)',
    as: 'cron',
    request: { operation: 'GET /api/cron/master', query: '?mode=parallel' },
    arrange: noPms,
    answers: {
      status: 200,
      body: {
        executed_at: ISO,
        tasks: [
          { name: 'sync', status: 'error' },
          { name: 'automations', status: 'success' },
          { name: 'calendar-notifications', status: 'success' },
        ],
      },
    },
  },
  {
    name: 'synchronises every location',
    section: 'GET /api/cron/sync',
    as: 'cron',
    request: { operation: 'GET /api/cron/sync' },
    answers: { status: 200, body: syncSummary },
  },
  {
    name: 'skips the sync while another run holds the lease',
    section: 'our own: concurrent syncs',
    as: 'cron',
    request: { operation: 'GET /api/cron/sync' },
    arrange: async ({ stack, group }) => {
      const name = `sync:${group.id}`
      await stack.sql(
        `insert into public.job_leases values ($1, gen_random_uuid(), now() + interval '60 seconds')`,
        [name],
      )
      return () => stack.sql('delete from public.job_leases where name = $1', [name])
    },
    answers: { status: 200, body: { success: true, timestamp: ISO, summary: [], skipped: true } },
  },
  {
    name: 'fails when no PMS is enabled',
    section: 'GET /api/cron/sync: 500 on failure',
    as: 'cron',
    request: { operation: 'GET /api/cron/sync' },
    arrange: noPms,
    answers: { status: 500, body: error('PMS integration is not configured') },
  },
  {
    name: 'sends nothing when there is nothing to send',
    section: 'GET /api/cron/calendar-notifications; our own addition',
    as: 'cron',
    request: { operation: 'GET /api/cron/calendar-notifications' },
    answers: { status: 200, body: { success: true, timestamp: ISO, notifications_sent: 0 } },
  },
  ...['calendar-reminders', 'ticket-notifications', 'ticket-reminders'].map(
    (name): Row => ({
      name: 'runs and counts',
      section: 'GET /api/cron/calendar-reminders, ticket-notifications, ticket-reminders; our own addition',
      as: 'cron',
      request: { operation: `GET /api/cron/${name}` },
      answers: { status: 200, body: jobBody },
    }),
  ),
  {
    name: 'runs and counts',
    section: 'GET /api/cron/automations',
    as: 'cron',
    request: { operation: 'GET /api/cron/automations' },
    answers: { status: 200, body: automationsBody },
  },
  {
    name: 'fails when the database does not answer',
    section: 'Errors: 500 database failure; our own addition',
    as: 'cron',
    request: { operation: 'GET /api/cron/ticket-reminders' },
    databaseDown: true,
    answers: { status: 500, body: unexpected },
  },
  ...NAMES.map(
    (name): Row => ({
      name: 'fails when the database fails',
      section: 'Errors: 500 database failure; our own addition',
      as: 'cron',
      request: { operation: `GET /api/cron/${name}` },
      arrange: noLeases,
      answers: { status: 500, body: unexpected },
    }),
  ),
]
