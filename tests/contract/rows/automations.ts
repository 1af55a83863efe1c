import { ISO, type Row, TEXT, UUID } from '../row'
import type { World } from '../world'
import { afterwards, all, given, limited, unlimited } from './arrange'
import { about, byId, cases, notFor, signedOut } from './cases'

const ID = 'd0000000-0000-4000-8000-000000000001'
const GUEST = 'd0000000-0000-4000-8000-000000000002'
const RUN_ID = 'd0000000-0000-4000-8000-000000000003'
const ONE = '/api/automations/{id}'
const RUN = `POST ${ONE}/run`
const RUNS = `GET ${ONE}/runs`
const PREVIEW = `GET ${ONE}/preview`
const LIST = 'GET /api/automations'
const CREATE = 'POST /api/automations'
const BY_ID = [`GET ${ONE}`, `PATCH ${ONE}`, `DELETE ${ONE}`, RUNS, PREVIEW]
const ASYNC = { prefer: 'respond-async' }

const vip = {
  name: 'Contrato VIP',
  type: 'vip_reward',
  channel: 'email',
  fallback_channel: null,
  status: 'active',
  subject: 'Hola {{ first_name }}',
  body: 'Vuelve pronto.',
  content_sid: null,
  content_variables: {},
  criteria: { min_spend: 100 },
  location_ids: [],
  tags: ['contrato-vip'],
  tier_ids: [],
} as const
const shown = (changes: object = {}) => ({ id: ID, ...vip, created_at: ISO, updated_at: ISO, ...changes })
const gone = async ({ stack }: World) => {
  for (const table of ['messages', 'automation_runs'])
    await stack.sql(`delete from public.${table} where automation_id = '${ID}'`)
}
const existing = (changes: object = {}) =>
  all(
    unlimited,
    given('automations', () => ({ id: ID, ...vip, ...changes })),
    async (world) => () => gone(world),
  )
const guest = given('customers', () => ({
  id: GUEST,
  first_name: 'Ana',
  email: 'ana@contrato.example',
  tags: ['contrato-vip'],
  total_spend: 500,
  total_visits: 1,
}))
/** Whoever hour it is, marketing messages may go out. */
const awake = async ({ stack, group }: World) => {
  const quiet = (from: string, until: string) =>
    stack.sql('update public.organizations set quiet_from = $2, quiet_until = $3 where id = $1', [
      group.id,
      from,
      until,
    ])
  await quiet('00:00', '00:00')
  return () => quiet('21:30', '09:30')
}
/** What goes on after the answer is over before the row is. */
const settled =
  async ({ stack }: World) =>
  async () => {
    for (let tries = 0; tries < 100; tries++) {
      const open = await stack.sql(
        `select 1 from public.automation_runs where automation_id = '${ID}' and status <> 'finished'`,
      )
      if (open.length === 0) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
const tidy = afterwards(`delete from public.automations where name = 'Contrato VIP'`)
const taken = { error: 'Already exists' }

const automation = cases('decisions §8: automations', 'marketing')
const run = cases('POST /api/automations/{id}/run', 'rrhh')

/** Automations, their log and preview, and running them. */
export const automationRows: Row[] = [
  ...signedOut([LIST, CREATE, ...BY_ID, RUN]),
  ...notFor('operaciones', 'canAccessMarketing', [LIST, CREATE, ...BY_ID]),
  ...byId(BY_ID, {
    as: 'marketing',
    id: ID,
    given: existing(),
    json: { [`PATCH ${ONE}`]: { status: 'inactive' } },
  }),
  automation('there is one', LIST, 200, { data: [shown()], next_cursor: null }, { arrange: existing() }),
  automation(
    'none has that status',
    LIST,
    200,
    { data: [], next_cursor: null },
    {
      query: '?status=inactive&type=vip_reward',
      arrange: existing(),
    },
  ),
  automation('the type is unknown', LIST, 400, about('type'), { query: '?type=spam' }),
  automation('there is none', LIST, 200, { data: [], next_cursor: null }, { as: 'stranger' }),
  automation('the cursor is none of ours', LIST, 400, { error: 'Malformed cursor' }, { query: '?cursor=x' }),
  automation(
    'it is created, with defaults',
    CREATE,
    201,
    {
      data: shown({ id: UUID, type: 'birthday', status: 'inactive', criteria: { days_before: 7 }, tags: [] }),
    },
    {
      json: { name: vip.name, type: 'birthday', channel: 'email', subject: vip.subject, body: vip.body },
      arrange: tidy,
    },
  ),
  automation('the type is unknown', CREATE, 400, about('type'), { json: { ...vip, type: 'spam' } }),
  automation('a criterion is out of range', CREATE, 400, about('criteria.min_spend'), {
    json: { ...vip, criteria: { min_spend: -1 } },
  }),
  automation('the template is malformed', CREATE, 400, about('body'), { json: { ...vip, body: '{% if %}' } }),
  automation('the name is taken', CREATE, 409, taken, { json: vip, arrange: existing() }),
  automation('it is there', `GET ${ONE}`, 200, { data: shown() }, { id: ID, arrange: existing() }),
  automation(
    'it changes',
    `PATCH ${ONE}`,
    200,
    { data: shown({ status: 'inactive' }) },
    {
      id: ID,
      json: { status: 'inactive' },
      arrange: existing(),
    },
  ),
  automation('a field is unknown', `PATCH ${ONE}`, 400, about('body'), { id: ID, json: { colour: 'red' } }),
  automation('the name is taken', `PATCH ${ONE}`, 409, taken, {
    id: ID,
    json: { name: 'Contrato otra' },
    arrange: all(
      existing(),
      given('automations', () => ({ id: GUEST, ...vip, name: 'Contrato otra' })),
    ),
  }),
  automation('it is deleted', `DELETE ${ONE}`, 204, undefined, { id: ID, arrange: existing() }),
  automation(
    'it ran once',
    RUNS,
    200,
    {
      data: [
        {
          id: RUN_ID,
          automation_id: ID,
          automation_name: vip.name,
          triggered_by: 'schedule',
          status: 'finished',
          reason: null,
          processed: 5,
          sent: 1,
          skipped: 1,
          failed: 1,
          pending: 2,
          simulated: 0,
          guests: null,
          started_by: null,
          started_by_name: null,
          expires_at: null,
          decided_by: null,
          decided_at: null,
          stopped_by: null,
          stopped_at: null,
          started_at: ISO,
          finished_at: ISO,
        },
      ],
      next_cursor: null,
    },
    {
      id: ID,
      arrange: all(
        existing(),
        given('automation_runs', () => ({
          id: RUN_ID,
          automation_id: ID,
          automation_name: vip.name,
          triggered_by: 'schedule',
          status: 'finished',
          processed: 5,
          sent: 1,
          skipped: 1,
          failed: 1,
          started_at: '2026-05-01T10:00:00Z',
          finished_at: '2026-05-01T10:00:01Z',
        })),
      ),
    },
  ),
  automation('the limit is out of range', RUNS, 400, about('limit'), { id: ID, query: '?limit=0' }),
  automation(
    'one customer matches',
    PREVIEW,
    200,
    {
      data: {
        matched: 1,
        to_send: 1,
        held_by_quiet_hours: 0,
        skipped: {
          no_address: 0,
          suppressed: 0,
          no_consent: 0,
          needs_template: 0,
          no_provider: 0,
          no_app_url: 0,
          frequency_cap: 0,
          duplicate: 0,
        },
        sample: {
          customer_id: GUEST,
          customer_name: 'Ana',
          channel: 'email',
          subject: 'Hola Ana',
          body: 'Vuelve pronto.',
          content_sid: null,
          content_variables: {},
        },
      },
    },
    { id: ID, arrange: all(existing(), guest, awake) },
  ),

  run(
    'one customer matches',
    RUN,
    200,
    {
      success: true,
      processed: 1,
      sent: 1,
      skipped: 0,
      failed: 0,
      pending: 0,
      errors: [],
      timestamp: ISO,
    },
    { id: ID, arrange: all(guest, existing(), awake) },
  ),
  run(
    'nobody matches',
    RUN,
    200,
    {
      success: true,
      processed: 0,
      sent: 0,
      skipped: 0,
      failed: 0,
      pending: 0,
      errors: [],
      timestamp: ISO,
    },
    { id: ID, arrange: existing() },
  ),
  run(
    'it is not active',
    RUN,
    200,
    {
      success: true,
      message: 'Automation is not active',
      processed: 0,
      sent: 0,
      skipped: 0,
      failed: 0,
      timestamp: ISO,
    },
    { id: ID, arrange: existing({ status: 'inactive' }) },
  ),
  ...['', '%20'].map((id) =>
    run(
      `the id is missing ("${id}")`,
      RUN,
      400,
      { error: 'Automation ID is required', timestamp: ISO },
      { section: 'Errors: 400 automation id missing', id, arrange: unlimited },
    ),
  ),
  ...['d0000000-0000-4000-8000-00000000dead', 'no-id', '%00'].map((id) =>
    run(
      `it is unknown (${id})`,
      RUN,
      500,
      { success: false, error: 'Automation not found', timestamp: ISO },
      {
        section: 'Errors: 500 run error',
        id,
        arrange: unlimited,
      },
    ),
  ),
  run(
    'it is another organization’s',
    RUN,
    500,
    {
      success: false,
      error: 'Automation not found',
      timestamp: ISO,
    },
    { section: 'Errors: 500 run error', as: 'stranger', id: ID, arrange: existing() },
  ),
  run(
    'it reaches locations the person does not work in',
    RUN,
    500,
    { success: false, error: 'Automation not found', timestamp: ISO },
    { section: 'decisions §10: location-bound staff', as: 'bound', id: ID, arrange: existing() },
  ),
  run(
    'the organization limits it to canAccessMarketing',
    RUN,
    403,
    { error: 'Forbidden' },
    { section: 'decisions §10: limit_marketing_to_roles', id: ID, arrange: all(existing(), limited) },
  ),
  run(
    'the database does not answer',
    RUN,
    500,
    { success: false, error: TEXT, timestamp: ISO },
    {
      section: 'Errors: 500 database failure',
      id: ID,
      databaseDown: true,
    },
  ),
  run(
    'it starts and goes on by itself',
    RUN,
    200,
    { success: true, automation_id: ID },
    {
      section: 'POST /api/automations/{id}/run (variant)',
      id: ID,
      sent: ASYNC,
      headers: { 'preference-applied': 'respond-async' },
      arrange: all(guest, existing(), awake, settled),
    },
  ),
  run(
    'it is unknown',
    RUN,
    404,
    { error: 'Automation not found' },
    {
      section: 'Errors: 404 automation unknown (variant)',
      sent: ASYNC,
      arrange: unlimited,
    },
  ),
  run(
    'it is another organization’s',
    RUN,
    404,
    { error: 'Automation not found' },
    {
      section: 'Errors: 404 automation unknown (variant)',
      as: 'stranger',
      id: ID,
      sent: ASYNC,
      arrange: existing(),
    },
  ),
  {
    section: 'GET /api/cron/automations',
    when: 'one automation runs: its details',
    as: 'cron',
    call: 'GET /api/cron/automations',
    arrange: all(guest, existing(), awake),
    status: 200,
    body: () => ({
      success: true,
      timestamp: ISO,
      total: 1,
      executed: 1,
      failed: 0,
      statistics: { totalProcessed: 1, totalSent: 1, totalSkipped: 0, totalFailed: 0 },
      details: [
        {
          automationId: ID,
          automationName: vip.name,
          success: true,
          processed: 1,
          sent: 1,
          skipped: 0,
          failed: 0,
        },
      ],
    }),
  },
]
