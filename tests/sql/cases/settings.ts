import { BOUND, type Cast, NORTE, UNBOUND, type Who } from '../cast'
import { answers, type FunctionCase, serviceOnly } from '../expectations'
import { DAY } from '../fill'

const UNBOUND_MANAGERS: Who[] = ['super_admin', 'admin']
const MANAGERS: Who[] = [...UNBOUND_MANAGERS, 'boundAdmin']
const STRANGER: Who[] = ['stranger']

const shape = (answer: unknown) => answer
const outcome = (answer: unknown) => (answer as { outcome: string }).outcome

/** `Retiro: 2` is a location and its covers. */
function covers(answer: unknown, { nameOf }: Cast): string[] {
  const { figures } = answer as { figures: { location_id: string | null; covers: number }[] }
  return figures
    .filter(({ location_id }) => location_id !== null)
    .map((row) => `${nameOf(row.location_id)}: ${row.covers}`)
    .sort()
}

/** Calls that change nothing, so that everyone can make the same one. */
export const settingsFunctions: Record<string, FunctionCase> = {
  accept_invitation: { body: () => ({ p_token: 'guess' }), shape, answers: answers<unknown>(false) },
  setup_is_open: { body: () => ({}), shape, answers: serviceOnly() },
  prepare_setup: {
    body: () => ({
      p_token_hash: 'a'.repeat(64),
      p_email: 'nueva@equipo.example',
      p_full_name: 'Nueva',
      p_name: 'Nuevo',
      p_slug: 'nuevo',
      p_timezone: 'Europe/Madrid',
    }),
    shape,
    answers: serviceOnly(),
  },
  // Both groups are filled but for a provider of messages; the PMS of Sur failed its test.
  setup_progress: {
    body: () => ({}),
    shape: (answer) => {
      const { steps = {} } = (answer ?? {}) as { steps?: Record<string, { done: boolean }> }
      return answer && Object.keys(steps).filter((step) => !steps[step]?.done)
    },
    answers: answers<unknown>(
      null,
      [UNBOUND_MANAGERS, ['email', 'channels', 'webhooks']],
      [STRANGER, ['pms', 'email', 'channels', 'webhooks']],
    ),
  },
  skip_setup_step: {
    body: () => ({ p_step: 'channels', p_skipped: true }),
    shape,
    answers: answers<unknown>('forbidden', [UNBOUND_MANAGERS, 'saved'], [STRANGER, 'saved']),
  },
  save_brand: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_id: ids['Norte brand'], p_fields: {} }),
    shape,
    answers: serviceOnly(),
  },
  delete_brand: {
    body: ({ ids }) => ({ p_brand: ids['Norte brand'] }),
    shape,
    answers: answers<unknown>('not_found', [UNBOUND_MANAGERS, 'in_use']),
  },
  pending_limits: { body: () => ({}), shape, answers: answers<unknown>({}) },
  // What it does is in tests/security/pending-limits.test.ts.
  decide_limit: {
    body: () => ({ p_name: 'campaign_approve_above', p_approve: true }),
    shape,
    answers: answers<unknown>('forbidden', [[...UNBOUND_MANAGERS, ...STRANGER], 'not_found']),
  },
  apply_due_limits: { body: () => ({}), shape, answers: serviceOnly() },
  change_organization: {
    body: () => ({ p_changes: {} }),
    shape,
    answers: answers<unknown>('forbidden', [[...UNBOUND_MANAGERS, ...STRANGER], 'saved']),
  },
  save_location: {
    body: ({ ids }) => ({ p_location: ids.Sol, p_values: {} }),
    shape: outcome,
    answers: answers<unknown>('not_found', [UNBOUND_MANAGERS, 'saved']),
  },
  delete_location: {
    body: ({ ids }) => ({ p_location: ids.Sol }),
    shape,
    answers: answers<unknown>('not_found', [UNBOUND_MANAGERS, 'in_use']),
  },
  refresh_location: {
    body: ({ ids }) => ({ p_location: ids.Retiro, p_limit: 10 }),
    shape,
    answers: serviceOnly(),
  },
  list_team: {
    body: () => ({}),
    shape: (answer) => (answer as { full_name: string }[]).map((row) => row.full_name).sort(),
    answers: answers<unknown>([], [MANAGERS, [...NORTE].sort()], [STRANGER, ['stranger']]),
  },
  list_colleagues: {
    body: () => ({}),
    shape: (answer) => (answer as { name: string }[]).map((row) => row.name).sort(),
    answers: answers<unknown>([], [NORTE, [...NORTE].sort()], [STRANGER, ['stranger']]),
  },
  change_member: {
    body: ({ ids }) => ({ p_member: ids.marketing, p_changes: {} }),
    shape,
    answers: answers<unknown>('forbidden', [UNBOUND_MANAGERS, 'saved'], [STRANGER, 'not_found']),
  },
  remove_member: {
    body: ({ ids }) => ({ p_member: ids.super_admin }),
    shape,
    answers: answers<unknown>('forbidden', [['super_admin'], 'own'], [STRANGER, 'not_found']),
  },
  invite_member: {
    body: () => ({
      p_email: 'pendiente@norte.example',
      p_role: 'super_admin',
      p_full_name: null,
      p_locations: [],
      p_token_hash: 'a'.repeat(64),
    }),
    shape: outcome,
    answers: answers<unknown>('forbidden', [['super_admin', ...STRANGER], 'invited']),
  },
  renew_invitation: {
    body: ({ ids }) => ({ p_invitation: ids.Norte, p_token_hash: 'a'.repeat(64) }),
    shape,
    answers: answers<unknown>('forbidden', [[...MANAGERS, ...STRANGER], 'not_found']),
  },
  withdraw_invitation: {
    body: ({ ids }) => ({ p_invitation: ids.Norte }),
    shape,
    answers: answers<unknown>('forbidden', [[...MANAGERS, ...STRANGER], 'not_found']),
  },
  save_integration: {
    body: ({ ids }) => ({
      p_organization: ids.Norte,
      p_type: 'pms',
      p_enabled: true,
      p_config: { base_url: 'https://evil.example' },
      p_address: 'https://evil.example',
      p_secrets: {},
      p_required: [],
    }),
    shape,
    answers: serviceOnly(),
  },
  // With spend: the office's, each in their locations.
  stats_overview: {
    body: () => ({ p_from: DAY, p_to: DAY }),
    shape: covers,
    answers: answers<unknown>(
      [],
      [UNBOUND, ['Retiro: 2', 'Sol: 7']],
      [BOUND, ['Retiro: 2']],
      [['sala'], []],
      [STRANGER, ['Triana: 5']],
    ),
  },
}
