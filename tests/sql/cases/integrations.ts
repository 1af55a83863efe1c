import type { Who } from '../cast'
import { answers, type FunctionCase, reads, serviceOnly, type TableCase } from '../expectations'
import { NOON } from '../fill'

const SETTINGS: Who[] = ['super_admin', 'admin', 'boundAdmin']
const STRANGER: Who[] = ['stranger']

/** Everything but `secrets`. */
const CONFIG_COLUMNS = 'id,organization_id,integration_type,is_enabled,config,created_at,updated_at'

export const integrationTables: Record<string, TableCase> = {
  integration_configs: {
    keys: ['integration_type', 'organization_id'],
    columns: CONFIG_COLUMNS,
    reads: reads([SETTINGS, ['pms / Norte']], [STRANGER, ['pms / Sur']]),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      integration_type: 'ai',
      secrets: { api_key: 'x' },
    }),
    change: () => ({ config: { base_url: 'https://evil.example' } }),
  },
  webhook_calls: {
    keys: ['provider', 'organization_id'],
    reads: reads([SETTINGS, ['resend / Norte']], [STRANGER, ['resend / Sur']]),
    insert: ({ ids }, home) => ({ organization_id: ids[home], provider: 'twilio', heard_at: NOON }),
    change: () => ({ refused_at: '2031-01-01T00:00:00Z' }),
  },
  integration_tests: {
    keys: ['kind', 'organization_id'],
    reads: reads([SETTINGS, ['pms / Norte']], [STRANGER, ['pms / Sur']]),
    insert: ({ ids }, home) => ({ organization_id: ids[home], kind: 'mail', tested_at: NOON }),
    change: () => ({ reason: null }),
  },
  setup_skips: {
    keys: ['step', 'organization_id'],
    reads: reads([SETTINGS, ['channels / Norte']], [STRANGER, ['channels / Sur']]),
    insert: ({ ids }, home) => ({ organization_id: ids[home], step: 'pms' }),
    change: () => ({ skipped_at: '2031-01-01T00:00:00Z' }),
  },
  retired_keys: {
    keys: ['id'],
    reads: serviceOnly(),
    insert: (_, home) => ({ id: home === 'Norte' ? '0a1b2c3d' : '4e5f6071', sealed: 'x' }),
    change: () => ({ sealed: 'y' }),
  },
  job_leases: {
    keys: ['name'],
    reads: serviceOnly(),
    insert: ({ ids }, home) => ({ name: `nueva-${home}`, holder: ids[home], expires_at: NOON }),
    change: () => ({ expires_at: '2031-01-01T00:00:00Z' }),
  },
  job_runs: {
    keys: ['job', 'organization_id'],
    columns: 'id,organization_id,job,status,started_at,finished_at',
    reads: reads([SETTINGS, ['sync / Norte']], [STRANGER, ['sync / Sur']]),
    insert: ({ ids }, home) => ({ organization_id: ids[home], job: 'automations' }),
    change: () => ({ status: 'failed' }),
  },
  attempt_limits: {
    keys: ['key'],
    reads: serviceOnly(),
    insert: (_, home) => ({ key: `nueva-${home}`, window_start: NOON, expires_at: NOON }),
    change: () => ({ hits: 0 }),
  },
  rate_limits: {
    keys: ['key'],
    reads: serviceOnly(),
    insert: (_, home) => ({ key: `nueva-${home}`, window_start: NOON, hits: 1, touched_at: NOON }),
    change: () => ({ hits: 0 }),
  },
}

const shape = (answer: unknown) => answer
const HASH = 'a'.repeat(64)

export const jobFunctions: Record<string, FunctionCase> = {
  rotate_secrets: {
    body: () => ({ p_changes: [], p_retired: [{ id: '89abcdef', sealed: 'x' }] }),
    shape,
    answers: serviceOnly(),
  },
  note_integration_test: {
    body: ({ ids }) => ({
      ...{ p_organization: ids.Norte, p_kind: 'pms', p_by: ids.admin, p_reason: 'bad_key', p_seen: NOON },
    }),
    shape,
    answers: serviceOnly(),
  },
  note_webhook: { body: () => ({ p_provider: 'twilio' }), shape, answers: serviceOnly() },
  job_results: {
    body: ({ ids }) => ({ p_runs: [ids['Norte sync']] }),
    shape: (answer) =>
      (answer as { result: { issues?: { location: string }[] } }[]).flatMap(({ result }) =>
        (result.issues ?? []).map(({ location }) => location),
      ),
    answers: answers<unknown>([], [SETTINGS, ['Retiro', 'Sol']], [['boundAdmin'], ['Retiro']]),
  },
  acquire_lease: {
    body: ({ ids }) => ({ p_name: 'free', p_holder: ids.Norte, p_seconds: 60 }),
    shape,
    answers: serviceOnly(),
  },
  release_lease: {
    body: ({ ids }) => ({ p_name: 'sync', p_holder: ids.Norte }),
    shape,
    answers: serviceOnly(),
  },
  begin_job: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_job: 'new', p_holder: ids.Norte, p_seconds: 60 }),
    shape,
    answers: serviceOnly(),
  },
  end_job: {
    body: ({ ids }) => ({
      ...{ p_run: ids['Norte sync'], p_holder: ids.Norte, p_status: 'failed', p_result: {} },
    }),
    shape,
    answers: serviceOnly(),
  },
  finished_nightly: {
    body: () => ({ p_hour: 3, p_now: '2026-05-01T10:00:00Z' }),
    shape,
    answers: serviceOnly(),
  },
  begin_keyed_request: {
    body: ({ ids }) => ({
      ...{ p_caller: ids.admin, p_path: '/api/tickets', p_key: 'form-1', p_body_hash: HASH },
      ...{ p_holder: ids.Norte, p_seconds: 180 },
    }),
    shape,
    answers: serviceOnly(),
  },
  end_keyed_request: {
    body: ({ ids }) => ({
      ...{ p_caller: ids.admin, p_path: '/api/tickets', p_key: 'form-1', p_holder: ids.Norte },
      ...{ p_status: 201, p_answer: '{}' },
    }),
    shape,
    answers: serviceOnly(),
  },
  take_rate_limit: {
    body: () => ({ p_key: 'sign-in:203.0.113.7', p_limit: 10, p_seconds: 60 }),
    shape,
    answers: serviceOnly(),
  },
  // What every member sees of the last sync, which is less than the row.
  last_sync: {
    body: () => ({}),
    shape: (answer) => (answer as { status: string } | null)?.status,
    answers: answers<unknown>('succeeded', [['fired'], undefined]),
  },
  take_attempts: {
    body: () => ({ p_keys: ['sign-up:network:203.0.113.7'], p_limits: [10], p_seconds: 60 }),
    shape,
    answers: serviceOnly(),
  },
  begin_sign_in: {
    body: () => ({ p_email: 'admin@norte.example', p_network: '203.0.113.7' }),
    shape,
    answers: serviceOnly(),
  },
  claim_code: {
    body: ({ ids }) => ({ p_user: ids.admin, p_hash: HASH }),
    shape,
    answers: serviceOnly(),
  },
  claim_recovery_code: {
    body: ({ ids }) => ({ p_user: ids.admin, p_hash: HASH }),
    shape,
    answers: serviceOnly(),
  },
  release_code: {
    body: ({ ids }) => ({ p_user: ids.admin, p_hash: HASH }),
    shape,
    answers: serviceOnly(),
  },
  keep_recovery_codes: {
    body: ({ ids }) => ({ p_user: ids.admin, p_hashes: [HASH] }),
    shape,
    answers: serviceOnly(),
  },
  forget_second_factor: {
    body: ({ ids }) => ({ p_user: ids.admin, p_session: ids.admin }),
    shape,
    answers: serviceOnly(),
  },
  end_sign_in: {
    body: () => ({ p_email: 'admin@norte.example', p_network: '203.0.113.7', p_outcome: 'failed' }),
    shape,
    answers: serviceOnly(),
  },
  lift_sign_in_lock: {
    body: () => ({ p_email: 'admin@norte.example', p_network: '203.0.113.7' }),
    shape,
    answers: serviceOnly(),
  },
  tidy_up: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_now: NOON }),
    shape,
    answers: serviceOnly(),
  },
  installation_state: { body: () => ({}), shape, answers: serviceOnly() },
  replication_state: { body: () => ({}), shape, answers: serviceOnly() },
  fold_figures: { body: () => ({ p_limit: 100 }), shape, answers: serviceOnly() },
  check_customer_counts: {
    body: ({ ids }) => ({ p_organization: ids.Norte }),
    shape,
    answers: serviceOnly(),
  },
  check_daily_figures: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_now: NOON, p_rows: 1000 }),
    shape,
    answers: serviceOnly(),
  },
  record_sync: {
    body: ({ ids }) => ({
      p_location: ids.Retiro,
      p_at: '2026-05-01T10:00:00Z',
      p_from: '2026-04-24',
      p_to: '2026-05-02',
    }),
    shape,
    answers: serviceOnly(),
  },
  record_look_ahead: {
    body: ({ ids }) => ({
      p_location: ids.Retiro,
      p_at: '2026-05-01T10:00:00Z',
      p_from: '2026-05-03',
      p_to: '2026-06-30',
      p_outcome: 'done',
    }),
    shape,
    answers: serviceOnly(),
  },
  take_out_missing: {
    body: ({ ids }) => ({
      p_location: ids.Retiro,
      p_at: '2026-05-01T10:00:00Z',
      p_from: '2026-04-24',
      p_to: '2026-05-02',
      p_ids: [],
      p_minutes: 10,
      p_reader: 'requests',
    }),
    shape,
    answers: serviceOnly(),
  },
  last_local_hour: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_hour: 3 }),
    shape,
    answers: serviceOnly(),
  },
}
