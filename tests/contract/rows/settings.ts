import { expect } from 'vitest'
import { SETUP_STEPS } from '@/lib/setup/schema'
import { PMS_KEY, POSTAL_ADDRESS } from '../../factories/group'
import { COUNT, csvOfToday, error, ISO, type Row, TEXT } from '../row'
import { afterwards, all, given, unlimited } from './arrange'
import { about } from './cases'

const DAY = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
const ID = 'b0000000-0000-4000-8000-000000000034'
const PUT = 'PUT /api/integrations/{type}'
const TEST = 'POST /api/integrations/{type}/test'

const noConfig = (type: string) =>
  afterwards(`delete from public.integration_configs where integration_type = '${type}'`)

const organization = {
  name: 'Grupo Averías',
  slug: TEXT,
  timezone: 'Europe/Madrid',
  show_setup: true,
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
  campaign_approve_above: 5000,
  control_share: 10,
  offer_tables_minutes: null,
  sms_price: null,
  postal_address: POSTAL_ADDRESS,
  language: 'es',
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
const STEP = expect.objectContaining({ done: expect.any(Boolean) })
const ANYTHING = expect.toSatisfy(
  (value: unknown) => value === null || typeof value === 'string',
  'a text or null',
)
const progress = {
  shown: true,
  without_hours: ANYTHING,
  synced_locations: COUNT,
  steps: Object.fromEntries(SETUP_STEPS.map((step) => [step, STEP])),
  skipped: {},
  tests: expect.any(Object),
  webhooks: expect.any(Object),
  schedule: ANYTHING,
}
const aiInput = { api_key: 'sk-contract', model: 'gpt-5', temperature: 0.2, max_tokens: 500 }

/** What a check of the simulator says. */
const understood = (venue: string) =>
  expect.objectContaining({ venue, day: DAY, pages: 1, bookings: COUNT, covers: COUNT, unreadable: [] })

/** Organization, integrations, job runs. */
export const settingsRows: Row[] = [
  {
    name: 'gives it to any role',
    section: 'our own: organization',
    as: 'rrhh',
    request: { operation: 'GET /api/organization' },
    answers: {
      status: 200,
      body: ({ group }) => ({
        data: { id: group.id, ...organization },
      }),
    },
  },
  {
    name: 'changes the settings',
    section: 'our own: organization',
    as: 'admin',
    request: { operation: 'PATCH /api/organization', body: { frequency_cap_days: 10 } },
    arrange: afterwards('update public.organizations set frequency_cap_days = 7'),
    answers: {
      status: 200,
      body: ({ group }) => ({
        data: { id: group.id, ...organization, frequency_cap_days: 10 },
      }),
    },
  },
  {
    name: 'changes the retention and the horizon',
    section: 'our own: organization',
    as: 'admin',
    request: { operation: 'PATCH /api/organization', body: { horizon_days: 30, keep_job_runs_days: 7 } },
    arrange: afterwards('update public.organizations set horizon_days = null, keep_job_runs_days = 90'),
    answers: {
      status: 200,
      body: ({ group }) => ({
        data: { id: group.id, ...organization, horizon_days: 30, keep_job_runs_days: 7 },
      }),
    },
  },
  {
    name: 'lets a raised limit of approval wait for another administrator',
    section: 'our own: organization',
    as: 'admin',
    request: { operation: 'PATCH /api/organization', body: { campaign_approve_above: 8000 } },
    arrange: afterwards(`update public.organizations set pending = '{}'`),
    answers: {
      status: 202,
      body: ({ group, email }) => ({
        data: { id: group.id, ...organization },
        pending: { campaign_approve_above: { value: 8000, by: email('admin'), at: ISO } },
      }),
    },
  },
  {
    name: 'knows of no limit of approval that waits',
    section: 'our own: organization',
    as: 'admin',
    request: {
      operation: 'POST /api/organization/pending/{limit}/approve',
      id: 'campaign_approve_above',
    },
    answers: { status: 404, body: error('Not found') },
  },
  {
    name: 'drops none that does not wait',
    section: 'our own: organization',
    as: 'admin',
    request: {
      operation: 'DELETE /api/organization/pending/{limit}',
      id: 'campaign_approve_above',
    },
    answers: { status: 404, body: error('Not found') },
  },
  {
    name: 'refuses a number out of range',
    section: 'our own: organization',
    as: 'admin',
    request: { operation: 'PATCH /api/organization', body: { keep_failed_rows_days: 0 } },
    answers: { status: 400, body: about('keep_failed_rows_days') },
  },
  {
    name: 'refuses a time that does not exist',
    section: 'our own: organization',
    as: 'admin',
    request: { operation: 'PATCH /api/organization', body: { quiet_from: '25:00' } },
    answers: { status: 400, body: about('quiet_from') },
  },

  {
    name: 'lists every integration when only the PMS is configured',
    section: 'our own: integrations',
    as: 'admin',
    request: { operation: 'GET /api/integrations' },
    answers: {
      status: 200,
      body: ({ pms }) => ({
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
      }),
    },
  },
  {
    name: 'configures an integration',
    section: 'our own: integrations',
    as: 'admin',
    request: { operation: PUT, id: 'ai', body: { is_enabled: true, config: aiInput } },
    arrange: noConfig('ai'),
    answers: {
      status: 200,
      body: {
        data: {
          integration_type: 'ai',
          is_enabled: true,
          config: { ...off.ai, ...aiInput, api_key: null, api_key_set: true },
        },
      },
    },
  },
  {
    name: 'keeps a secret that is left out',
    section: 'our own: integrations',
    as: 'admin',
    request: {
      operation: PUT,
      id: 'pms',
      body: ({ pms }) => ({ is_enabled: true, config: { base_url: pms.url } }),
    },
    arrange: async (world) => () =>
      world.client('admin').request('PUT', '/api/integrations/pms', {
        body: {
          is_enabled: true,
          config: { api_key: PMS_KEY, venue_id: 'tests', base_url: world.pms.url },
        },
      }),
    answers: {
      status: 200,
      body: ({ pms }) => ({
        data: {
          integration_type: 'pms',
          is_enabled: true,
          config: { api_key: null, api_key_set: true, venue_id: null, base_url: pms.url },
        },
      }),
    },
  },
  {
    name: 'finds no unknown type',
    section: 'our own: integrations',
    as: 'admin',
    request: { operation: PUT, id: 'fax', body: { is_enabled: false, config: {} } },
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'refuses a malformed field',
    section: 'our own: integrations',
    as: 'admin',
    request: { operation: PUT, id: 'ai', body: { is_enabled: true, config: { ...aiInput, temperature: 3 } } },
    answers: { status: 400, body: about('config.temperature') },
  },
  {
    name: 'refuses to enable an integration without its key',
    section: 'our own: integrations',
    as: 'admin',
    request: { operation: PUT, id: 'ai', body: { is_enabled: true, config: {} } },
    arrange: noConfig('ai'),
    answers: { status: 400, body: { error: 'config: missing api_key' } },
  },
  {
    name: 'succeeds when the PMS answers',
    section: 'our own: integrations',
    as: 'admin',
    request: { operation: TEST, id: 'pms' },
    arrange: unlimited,
    answers: { status: 200, body: { success: true, details: understood('alfa') } },
  },
  {
    name: 'tries a PMS that is typed and not saved',
    section: 'our own: integrations',
    as: 'admin',
    request: {
      operation: TEST,
      id: 'pms',
      body: ({ pms }) => ({ config: { base_url: pms.url, api_key: PMS_KEY, venue_id: 'bravo' } }),
    },
    arrange: unlimited,
    answers: { status: 200, body: { success: true, details: understood('bravo') } },
  },
  {
    name: 'refuses a malformed address to try',
    section: 'our own: integrations',
    as: 'admin',
    request: { operation: TEST, id: 'pms', body: { config: { base_url: 'ftp://pms.example' } } },
    arrange: unlimited,
    answers: { status: 400, body: about('config.base_url') },
  },
  {
    name: 'tries no other integration before it is saved',
    section: 'our own: integrations',
    as: 'admin',
    request: { operation: TEST, id: 'ai', body: { config: {} } },
    arrange: unlimited,
    answers: { status: 400, body: about('config') },
  },
  {
    name: 'reports that the PMS refuses',
    section: 'our own: integrations',
    as: 'admin',
    request: { operation: TEST, id: 'pms' },
    arrange: all(unlimited, async ({ pms }) => {
      pms.setFault('alfa', { kind: 'error', status: 401 })
      return async () => pms.clearFaults()
    }),
    answers: { status: 200, body: { success: false, reason: 'bad_key', error: 'the PMS answered 401' } },
  },
  {
    name: 'reports that no PMS is configured',
    section: 'our own: integrations',
    as: 'stranger',
    request: { operation: TEST, id: 'pms' },
    arrange: unlimited,
    answers: {
      status: 200,
      body: {
        success: false,
        reason: 'not_configured',
        error: 'PMS integration is not configured',
      },
    },
  },

  ...['ai', 'twilio', 'resend'].map(
    (id): Row => ({
      name: `reports that ${id} is not configured`,
      section: 'our own: integrations',
      as: 'admin',
      request: { operation: TEST, id },
      arrange: all(unlimited, noConfig(id)),
      answers: {
        status: 200,
        body: { success: false, reason: 'not_configured', error: 'a required field is missing' },
      },
    }),
  ),
  {
    name: 'tests no integration that there is not',
    section: 'our own: integrations',
    as: 'admin',
    request: { operation: TEST, id: 'fax' },
    arrange: unlimited,
    answers: { status: 404, body: error('Not found') },
  },

  {
    name: 'sends no test mail while Resend is not configured',
    section: 'our own: integrations',
    as: 'admin',
    request: { operation: 'POST /api/integrations/test-mail' },
    arrange: all(unlimited, noConfig('resend')),
    answers: {
      status: 200,
      body: ({ email }) => ({
        success: false,
        reason: 'not_configured',
        error: 'a required field is missing',
        to: email('admin'),
      }),
    },
  },
  {
    name: 'says which steps of the set-up are done',
    section: 'our own: setting up',
    as: 'admin',
    request: { operation: 'GET /api/setup/steps' },
    answers: { status: 200, body: { data: progress } },
  },
  {
    name: 'puts an optional step off',
    section: 'our own: setting up',
    as: 'admin',
    request: { operation: 'PUT /api/setup/steps/{step}', id: 'channels', body: { skipped: true } },
    arrange: afterwards('delete from public.setup_skips'),
    answers: { status: 200, body: { success: true } },
  },
  {
    name: 'puts no needed step off',
    section: 'our own: setting up',
    as: 'admin',
    request: { operation: 'PUT /api/setup/steps/{step}', id: 'team', body: { skipped: true } },
    answers: { status: 404, body: error('Not found') },
  },

  {
    name: 'lists its run',
    section: 'our own: jobs',
    as: 'admin',
    request: { operation: 'GET /api/jobs', query: '?job=contract' },
    arrange: given('job_runs', () => ({
      id: ID,
      job: 'contract',
      status: 'partial',
      started_at: '2026-05-01T10:00:00Z',
      result: { n: 1 },
    })),
    answers: {
      status: 200,
      body: {
        data: [
          {
            id: ID,
            job: 'contract',
            status: 'partial',
            started_at: ISO,
            finished_at: null,
            result: { n: 1 },
          },
        ],
        next_cursor: null,
      },
    },
  },
  {
    name: 'lists nothing of another organization',
    section: 'our own: jobs',
    as: 'stranger',
    request: { operation: 'GET /api/jobs', query: '?job=contract' },
    arrange: given('job_runs', () => ({ id: ID, job: 'contract', started_at: '2026-05-01T10:00:00Z' })),
    answers: { status: 200, body: { data: [], next_cursor: null } },
  },
  {
    name: 'lists an entry with its kind',
    section: 'our own: audit log',
    as: 'admin',
    request: { operation: 'GET /api/audit-log', query: `?search=${ID}` },
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
    answers: {
      status: 200,
      body: {
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
    },
  },
  {
    name: 'refuses an unknown kind',
    section: 'our own: audit log',
    as: 'admin',
    request: { operation: 'GET /api/audit-log', query: '?kind=weather' },
    answers: { status: 400, body: about('kind') },
  },
  {
    name: 'refuses a malformed cursor',
    section: 'our own: audit log',
    as: 'admin',
    request: { operation: 'GET /api/audit-log', query: '?cursor=x' },
    answers: { status: 400, body: { error: 'Malformed cursor' } },
  },
  {
    name: 'gives the list as a file',
    section: 'our own: audit log',
    as: 'admin',
    request: { operation: 'GET /api/audit-log/export', query: '?kind=brand' },
    answers: {
      status: 200,
      headers: csvOfToday('audit-log'),
    },
  },
  {
    name: 'refuses a malformed instant',
    section: 'our own: audit log',
    as: 'admin',
    request: { operation: 'GET /api/audit-log/export', query: '?from=yesterday' },
    answers: { status: 400, body: about('from') },
  },
  {
    name: 'refuses a malformed name',
    section: 'our own: jobs',
    as: 'admin',
    request: { operation: 'GET /api/jobs', query: '?job=A%20B' },
    answers: { status: 400, body: about('job') },
  },
]
