import { expect } from 'vitest'
import { COUNT, error, ISO, type Row, TEXT, unexpected, withoutFunction } from '../row'
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

const noPms: Row['arrange'] = async ({ stack }) => {
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
    section: 'Authentication: CRON',
    when: 'there is no secret',
    as: 'nobody',
    call: `GET /api/cron/${name}`,
    status: 401,
    body: error('Unauthorized'),
  },
  {
    section: 'Authentication: CRON; a session is no secret',
    when: 'the secret is wrong',
    as: 'super_admin',
    call: `GET /api/cron/${name}`,
    send: () => ({ headers: { authorization: 'Bearer wrong' } }),
    status: 401,
    body: error('Unauthorized'),
  },
])

/** The scheduler's endpoints. */
export const cronRows: Row[] = [
  ...refused,
  {
    section: 'GET /api/cron/master',
    when: 'all goes well and no calendar event is near',
    as: 'cron',
    call: 'GET /api/cron/master',
    status: 200,
    body: () => ({
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
    }),
  },
  {
    section: 'GET /api/cron/master: cron resilience',
    when: 'a sub-call fails: its error is in the results, the others run, the answer is 200',
    as: 'cron',
    call: 'GET /api/cron/master',
    arrange: noPms,
    status: 200,
    body: () => ({
      success: true,
      master: true,
      timestamp: ISO,
      results: [
        { endpoint: '/api/cron/sync', error: 'PMS integration is not configured' },
        NOTHING,
        ...Array.from({ length: 4 }, () => expect.objectContaining({ status: 200 })),
      ],
    }),
  },
  {
    section: 'decisions §9: every location failed',
    when: 'the master: the item of the sync has its error',
    as: 'cron',
    call: 'GET /api/cron/master',
    arrange: pmsDown,
    status: 200,
    body: () => ({
      success: true,
      master: true,
      timestamp: ISO,
      results: [
        { endpoint: '/api/cron/sync', error: NONE_SYNCED },
        NOTHING,
        ...Array.from({ length: 4 }, () => expect.objectContaining({ status: 200 })),
      ],
    }),
  },
  {
    section: 'decisions §9: every location failed',
    when: 'cron/sync',
    as: 'cron',
    call: 'GET /api/cron/sync',
    arrange: pmsDown,
    status: 500,
    body: error(NONE_SYNCED),
  },
  {
    section: 'GET /api/cron/master: cron resilience',
    when: 'the database fails: every item has its error, the answer is 200',
    as: 'cron',
    call: 'GET /api/cron/master',
    arrange: noLeases,
    status: 200,
    body: () => ({
      success: true,
      master: true,
      timestamp: ISO,
      results: NAMES.map((name) => ({ endpoint: `/api/cron/${name}`, error: TEXT })),
    }),
  },
  {
    section: 'GET /api/cron/master (variant)',
    when: 'mode=parallel',
    as: 'cron',
    call: 'GET /api/cron/master',
    path: () => '/api/cron/master?mode=parallel',
    status: 200,
    body: () => ({
      executed_at: ISO,
      tasks: [
        { name: 'sync', status: 'success' },
        { name: 'automations', status: 'success' },
        { name: 'calendar-notifications', status: 'success' },
      ],
    }),
  },
  {
    section: 'GET /api/cron/master (variant)',
    when: 'mode=parallel, one of the three fails',
    as: 'cron',
    call: 'GET /api/cron/master',
    path: () => '/api/cron/master?mode=parallel',
    arrange: noPms,
    status: 200,
    body: () => ({
      executed_at: ISO,
      tasks: [
        { name: 'sync', status: 'error' },
        { name: 'automations', status: 'success' },
        { name: 'calendar-notifications', status: 'success' },
      ],
    }),
  },
  {
    section: 'GET /api/cron/sync',
    when: 'all locations answer',
    as: 'cron',
    call: 'GET /api/cron/sync',
    status: 200,
    body: syncSummary,
  },
  {
    section: 'decisions §3: concurrent syncs',
    when: 'another run holds the lease',
    as: 'cron',
    call: 'GET /api/cron/sync',
    arrange: async ({ stack, group }) => {
      const name = `sync:${group.id}`
      await stack.sql(
        `insert into public.job_leases values ($1, gen_random_uuid(), now() + interval '60 seconds')`,
        [name],
      )
      return () => stack.sql('delete from public.job_leases where name = $1', [name])
    },
    status: 200,
    body: () => ({ success: true, timestamp: ISO, summary: [], skipped: true }),
  },
  {
    section: 'GET /api/cron/sync: 500 on failure',
    when: 'no PMS is enabled',
    as: 'cron',
    call: 'GET /api/cron/sync',
    arrange: noPms,
    status: 500,
    body: error('PMS integration is not configured'),
  },
  {
    section: 'GET /api/cron/calendar-notifications; decisions §6',
    when: 'there is nothing to send',
    as: 'cron',
    call: 'GET /api/cron/calendar-notifications',
    status: 200,
    body: () => ({ success: true, timestamp: ISO, notifications_sent: 0 }),
  },
  ...['calendar-reminders', 'ticket-notifications', 'ticket-reminders'].map(
    (name): Row => ({
      section: 'GET /api/cron/calendar-reminders, ticket-notifications, ticket-reminders; decisions §6',
      when: 'it runs',
      as: 'cron',
      call: `GET /api/cron/${name}`,
      status: 200,
      body: jobBody,
    }),
  ),
  {
    section: 'GET /api/cron/automations',
    when: 'it runs',
    as: 'cron',
    call: 'GET /api/cron/automations',
    status: 200,
    body: automationsBody,
  },
  {
    section: 'Errors: 500 database failure; decisions §1',
    when: 'the database does not answer',
    as: 'cron',
    call: 'GET /api/cron/ticket-reminders',
    databaseDown: true,
    status: 500,
    body: unexpected,
  },
  ...NAMES.map(
    (name): Row => ({
      section: 'Errors: 500 database failure; decisions §1',
      when: 'the database fails',
      as: 'cron',
      call: `GET /api/cron/${name}`,
      arrange: noLeases,
      status: 500,
      body: unexpected,
    }),
  ),
]
