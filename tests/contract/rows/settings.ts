import { PMS_KEY } from '../../factories/group'
import { ISO, type Row, TEXT } from '../row'
import { afterwards, all, given, unlimited } from './arrange'
import { about, cases, notFor, signedOut } from './cases'

const ID = 'b0000000-0000-4000-8000-000000000003'
const PUT = 'PUT /api/integrations/{type}'
const TEST = 'POST /api/integrations/pms/test'

const noConfig = (type: string) =>
  afterwards(`delete from public.integration_configs where integration_type = '${type}'`)

const organization = {
  name: 'Grupo Averías',
  slug: TEXT,
  frequency_cap_days: 7,
  quiet_from: '21:30',
  quiet_until: '09:30',
  limit_marketing_to_roles: false,
  require_second_factor: false,
  horizon_days: null,
  keep_job_runs_days: 90,
  keep_automation_runs_days: 365,
  keep_webhook_receipts_days: 90,
  keep_failed_rows_days: 30,
  ai_daily_calls: 500,
  ai_daily_calls_per_person: 100,
  ai_daily_tokens: 3_000_000,
  ai_daily_tokens_per_person: 600_000,
  approve_above: null,
}
const off = {
  ai: { api_key: null, api_key_set: false, model: null, temperature: null, max_tokens: null, base_url: null },
  twilio: { account_sid: null, auth_token: null, auth_token_set: false, sms_from: null, whatsapp_from: null },
  resend: {
    api_key: null,
    api_key_set: false,
    from_email: null,
    from_name: null,
    webhook_secret: null,
    webhook_secret_set: false,
  },
}
const aiInput = { api_key: 'sk-contract', model: 'gpt-5', temperature: 0.2, max_tokens: 500 }

const settings = cases('decisions §8: organization', 'admin')
const integrations = cases('decisions §8: integrations', 'admin')
const jobs = cases('decisions §8: jobs', 'admin')
const audit = cases('decisions §11: audit log', 'admin')

/** Organization, integrations, job runs. */
export const settingsRows: Row[] = [
  ...signedOut([
    'GET /api/organization',
    'PATCH /api/organization',
    'GET /api/integrations',
    PUT,
    TEST,
    'GET /api/jobs',
    'GET /api/audit-log',
    'GET /api/audit-log/export',
  ]),
  ...notFor('ceo', 'canViewSettings', [
    'PATCH /api/organization',
    'GET /api/integrations',
    PUT,
    TEST,
    'GET /api/jobs',
    'GET /api/audit-log',
    'GET /api/audit-log/export',
  ]),
  settings(
    'anyone asks',
    'GET /api/organization',
    200,
    ({ group }) => ({
      data: { id: group.id, ...organization },
    }),
    { as: 'rrhh' },
  ),
  settings(
    'they change',
    'PATCH /api/organization',
    200,
    ({ group }) => ({
      data: { id: group.id, ...organization, frequency_cap_days: 10 },
    }),
    {
      json: { frequency_cap_days: 10 },
      arrange: afterwards('update public.organizations set frequency_cap_days = 7'),
    },
  ),
  settings(
    'they change how much is kept and looked ahead',
    'PATCH /api/organization',
    200,
    ({ group }) => ({
      data: { id: group.id, ...organization, horizon_days: 30, keep_job_runs_days: 7 },
    }),
    {
      json: { horizon_days: 30, keep_job_runs_days: 7 },
      arrange: afterwards('update public.organizations set horizon_days = null, keep_job_runs_days = 90'),
    },
  ),
  settings('a number is out of bounds', 'PATCH /api/organization', 400, about('keep_failed_rows_days'), {
    json: { keep_failed_rows_days: 0 },
  }),
  settings('a time is none', 'PATCH /api/organization', 400, about('quiet_from'), {
    json: { quiet_from: '25:00' },
  }),

  integrations('only the PMS is configured', 'GET /api/integrations', 200, ({ pms }) => ({
    data: [
      {
        integration_type: 'pms',
        is_enabled: true,
        config: { api_key: null, api_key_set: true, venue_id: 'tests', base_url: pms.url },
      },
      ...Object.entries(off).map(([integration_type, config]) => ({
        integration_type,
        is_enabled: false,
        config,
      })),
    ],
    next_cursor: null,
  })),
  integrations(
    'one is configured',
    PUT,
    200,
    {
      data: {
        integration_type: 'ai',
        is_enabled: true,
        config: { ...off.ai, ...aiInput, api_key: null, api_key_set: true },
      },
    },
    { id: 'ai', json: { is_enabled: true, config: aiInput }, arrange: noConfig('ai') },
  ),
  integrations(
    'the secret is left out: it is kept',
    PUT,
    200,
    ({ pms }) => ({
      data: {
        integration_type: 'pms',
        is_enabled: true,
        config: { api_key: null, api_key_set: true, venue_id: null, base_url: pms.url },
      },
    }),
    {
      id: 'pms',
      json: ({ pms }) => ({ is_enabled: true, config: { base_url: pms.url } }),
      arrange: async (world) => () =>
        world.client('admin').request('PUT', '/api/integrations/pms', {
          body: {
            is_enabled: true,
            config: { api_key: PMS_KEY, venue_id: 'tests', base_url: world.pms.url },
          },
        }),
    },
  ),
  integrations(
    'the type is unknown',
    PUT,
    404,
    { error: 'Not found' },
    {
      id: 'fax',
      json: { is_enabled: false, config: {} },
    },
  ),
  integrations('a field is malformed', PUT, 400, about('config.temperature'), {
    id: 'ai',
    json: { is_enabled: true, config: { ...aiInput, temperature: 3 } },
  }),
  integrations(
    'it is enabled and lacks something',
    PUT,
    400,
    { error: 'config: missing api_key' },
    {
      id: 'ai',
      json: { is_enabled: true, config: {} },
      arrange: noConfig('ai'),
    },
  ),
  integrations('the PMS answers', TEST, 200, { success: true }, { arrange: unlimited }),
  integrations(
    'the PMS refuses',
    TEST,
    200,
    { success: false, error: 'the PMS answered 401' },
    {
      arrange: all(unlimited, async ({ pms }) => {
        pms.setFault('alfa', { kind: 'error', status: 401 })
        return async () => pms.clearFaults()
      }),
    },
  ),
  integrations(
    'no PMS is configured',
    TEST,
    200,
    {
      success: false,
      error: 'PMS integration is not configured',
    },
    { as: 'stranger', arrange: unlimited },
  ),

  jobs(
    'it ran once',
    'GET /api/jobs',
    200,
    {
      data: [
        { id: ID, job: 'contract', status: 'partial', started_at: ISO, finished_at: null, result: { n: 1 } },
      ],
      next_cursor: null,
    },
    {
      query: '?job=contract',
      arrange: given('job_runs', () => ({
        id: ID,
        job: 'contract',
        status: 'partial',
        started_at: '2026-05-01T10:00:00Z',
        result: { n: 1 },
      })),
    },
  ),
  jobs(
    'it is another organization’s',
    'GET /api/jobs',
    200,
    { data: [], next_cursor: null },
    {
      as: 'stranger',
      query: '?job=contract',
      arrange: given('job_runs', () => ({ id: ID, job: 'contract', started_at: '2026-05-01T10:00:00Z' })),
    },
  ),
  audit(
    'a line is about a kind',
    'GET /api/audit-log',
    200,
    {
      data: [
        {
          id: ID,
          at: ISO,
          actor: 'Ana Gil <ana@grupo.example>',
          action: 'brand.changed',
          subject_type: 'brand',
          subject_id: ID,
          before: { name: 'Antes' },
          after: { name: 'Después' },
        },
      ],
      next_cursor: null,
    },
    {
      query: `?search=${ID}`,
      arrange: given('audit_log', () => ({
        id: ID,
        actor: 'Ana Gil <ana@grupo.example>',
        action: 'brand.changed',
        subject_type: 'brand',
        subject_id: ID,
        subject: 'Después',
        details: { fields: ['name'], before: { name: 'Antes' }, after: { name: 'Después' } },
        created_at: '2026-05-01T10:00:00Z',
      })),
    },
  ),
  audit('the kind is unknown', 'GET /api/audit-log', 400, about('kind'), { query: '?kind=weather' }),
  audit(
    'the cursor is none of ours',
    'GET /api/audit-log',
    400,
    { error: 'Malformed cursor' },
    { query: '?cursor=x' },
  ),
  audit('it is downloaded', 'GET /api/audit-log/export', 200, undefined, {
    query: '?kind=brand',
    headers: {
      'content-disposition': `attachment; filename="audit-log-${new Date().toISOString().slice(0, 10)}.csv"`,
    },
  }),
  audit('the instant is none', 'GET /api/audit-log/export', 400, about('from'), { query: '?from=yesterday' }),
  jobs('the name is none', 'GET /api/jobs', 400, about('job'), { query: '?job=A%20B' }),
]
