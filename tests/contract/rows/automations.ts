import { expect } from 'vitest'
import { error, ISO, type Row, UUID } from '../row'
import type { World } from '../world'
import { afterwards, all, given, unlimited } from './arrange'
import { about, editedMeanwhile } from './cases'

export const ID = 'd0000000-0000-4000-8000-000000000001'
const GUEST = 'd0000000-0000-4000-8000-000000000002'
const RUN_ID = 'd0000000-0000-4000-8000-000000000003'
const ONE = '/api/automations/{id}'
export const RUN = `POST ${ONE}/run`
const RUNS = `GET ${ONE}/runs`
const LIFT = `GET ${ONE}/lift`
const PREVIEW = `GET ${ONE}/preview`
const CHECK = `GET ${ONE}/check`
const LIST = 'GET /api/automations'
const CREATE = 'POST /api/automations'

export const vip = {
  name: 'Contrato VIP',
  type: 'vip_reward',
  channel: 'email',
  fallback_channel: null,
  status: 'active',
  subject: 'Hola {{ first_name }}',
  body: 'Vuelve pronto.',
  content_sid: null,
  content_variables: {},
  email_design: null,
  versions: [],
  criteria: { min_spend: 100 },
  location_ids: [],
  tags: ['contrato-vip'],
  tier_ids: [],
  control_share: 0,
} as const
const shown = (changes: object = {}) => ({ id: ID, ...vip, created_at: ISO, updated_at: ISO, ...changes })
const gone = async ({ stack }: World) => {
  for (const table of ['messages', 'automation_runs'])
    await stack.sql(`delete from public.${table} where automation_id = '${ID}'`)
}
export const existing = (changes: object = {}) =>
  all(
    unlimited,
    given('automations', () => ({ id: ID, ...vip, ...changes })),
    async (world) => () => gone(world),
  )
export const guest = given('customers', () => ({
  id: GUEST,
  first_name: 'Ana',
  email: 'ana@contrato.example',
  tags: ['contrato-vip'],
  total_spend: 500,
  total_visits: 1,
}))
/** Marketing messages may go out at any hour. */
export const awake = async ({ stack, group }: World) => {
  const quiet = (from: string, until: string) =>
    stack.sql('update public.organizations set quiet_from = $2, quiet_until = $3 where id = $1', [
      group.id,
      from,
      until,
    ])
  await quiet('00:00', '00:00')
  return () => quiet('21:30', '09:30')
}
const tidy = afterwards(`delete from public.automations where name = 'Contrato VIP'`)
const NOBODY = { guests: 0, came: 0, visits: 0, revenue: 0, estimated_revenue: 0 }
const NO_CONTROL = { known: 'no_control', per_thousand: null, low: null, high: null }
const taken = { error: 'Already exists' }

/** Automations, their log and preview. */
export const automationRows: Row[] = [
  editedMeanwhile(`PATCH ${ONE}`, 'body', { as: 'marketing', id: ID, given: existing() }),
  {
    name: 'lists the one that there is',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: LIST },
    arrange: existing(),
    answers: { status: 200, body: { data: [shown()], next_cursor: null } },
  },
  {
    name: 'lists none when none has the status',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: LIST, query: '?status=inactive&type=vip_reward' },
    arrange: existing(),
    answers: { status: 200, body: { data: [], next_cursor: null } },
  },
  {
    name: 'refuses an unknown type',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: LIST, query: '?type=spam' },
    answers: { status: 400, body: about('type') },
  },
  {
    name: 'lists none when there is none',
    section: 'our own: automations',
    as: 'stranger',
    request: { operation: LIST },
    answers: { status: 200, body: { data: [], next_cursor: null } },
  },
  {
    name: 'refuses a malformed cursor',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: LIST, query: '?cursor=x' },
    answers: { status: 400, body: { error: 'Malformed cursor' } },
  },
  {
    name: 'creates it with defaults',
    section: 'our own: automations',
    as: 'marketing',
    request: {
      operation: CREATE,
      body: { name: vip.name, type: 'birthday', channel: 'email', subject: vip.subject, body: vip.body },
    },
    arrange: tidy,
    answers: {
      status: 201,
      body: {
        data: shown({
          id: UUID,
          type: 'birthday',
          status: 'inactive',
          criteria: { days_before: 7 },
          tags: [],
        }),
      },
    },
  },
  {
    name: 'refuses an unknown type',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: CREATE, body: { ...vip, type: 'spam' } },
    answers: { status: 400, body: about('type') },
  },
  {
    name: 'refuses a criterion out of range',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: CREATE, body: { ...vip, criteria: { min_spend: -1 } } },
    answers: { status: 400, body: about('criteria.min_spend') },
  },
  {
    name: 'refuses a malformed template',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: CREATE, body: { ...vip, body: '{% if %}' } },
    answers: { status: 400, body: about('body') },
  },
  {
    name: 'refuses a name that is taken',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: CREATE, body: vip },
    arrange: existing(),
    answers: { status: 409, body: taken },
  },
  {
    name: 'gives it',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: `GET ${ONE}`, id: ID },
    arrange: existing(),
    answers: { status: 200, body: { data: shown() } },
  },
  {
    name: 'changes it',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: `PATCH ${ONE}`, id: ID, body: { status: 'inactive' } },
    arrange: existing(),
    answers: { status: 200, body: { data: shown({ status: 'inactive' }) } },
  },
  {
    name: 'refuses an unknown field',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: `PATCH ${ONE}`, id: ID, body: { colour: 'red' } },
    answers: { status: 400, body: about('body') },
  },
  {
    name: 'refuses a name that is taken',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: `PATCH ${ONE}`, id: ID, body: { name: 'Contrato otra' } },
    arrange: all(
      existing(),
      given('automations', () => ({ id: GUEST, ...vip, name: 'Contrato otra' })),
    ),
    answers: { status: 409, body: taken },
  },
  {
    name: 'deletes it',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: `DELETE ${ONE}`, id: ID },
    arrange: existing(),
    answers: { status: 204 },
  },
  {
    name: 'lists its run',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: RUNS, id: ID },
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
    answers: {
      status: 200,
      body: {
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
    },
  },
  {
    name: 'refuses a limit out of range',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: RUNS, id: ID, query: '?limit=0' },
    answers: { status: 400, body: about('limit') },
  },
  {
    name: 'sends to the one customer who matches',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: PREVIEW, id: ID },
    arrange: all(existing(), guest, awake),
    answers: {
      status: 200,
      body: {
        data: {
          matched: 1,
          to_send: 1,
          held_by_quiet_hours: 0,
          skipped: {
            no_address: 0,
            not_mobile: 0,
            suppressed: 0,
            no_consent: 0,
            needs_template: 0,
            no_provider: 0,
            no_app_url: 0,
            frequency_cap: 0,
            guest_frequency: 0,
            brand_muted: 0,
            duplicate: 0,
            control_group: 0,
          },
          sample: {
            customer_id: GUEST,
            customer_name: 'Ana',
            channel: 'email',
            subject: 'Hola Ana',
            body: expect.stringMatching(/^Vuelve pronto\./),
            content_sid: null,
            content_variables: {},
            html: expect.stringContaining('Vuelve pronto.'),
          },
          check: { blocking: [], warnings: [] },
          seed: null,
        },
      },
    },
  },
  {
    name: 'says what is wrong with it',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: CHECK, id: ID },
    arrange: all(existing({ subject: '{{ asunto }}' }), guest, awake),
    answers: {
      status: 200,
      body: {
        data: {
          blocking: [
            { code: 'unknown_variable', field: 'subject' },
            { code: 'empty_for_some', field: 'subject', count: 1 },
          ],
          warnings: [],
        },
      },
    },
  },
  {
    name: 'is not activated with what is wrong',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: `PATCH ${ONE}`, id: ID, body: { subject: '{{ asunto }}' } },
    arrange: existing(),
    answers: {
      status: 409,
      body: error('Something has to be mended before it can be sent'),
    },
  },
  {
    name: 'compares nothing without a control group',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: LIFT, id: ID },
    arrange: existing(),
    answers: {
      status: 200,
      body: {
        data: {
          control_share: 0,
          days: 30,
          waiting: 0,
          treated: NOBODY,
          control: NOBODY,
          visits: NO_CONTROL,
          revenue: NO_CONTROL,
        },
      },
    },
  },
  {
    name: 'takes a share of its own, or the group’s',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: `PATCH ${ONE}`, id: ID, body: { control_share: null } },
    arrange: existing(),
    answers: { status: 200, body: { data: shown({ control_share: null }) } },
  },
  {
    name: 'refuses a share out of range',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: CREATE, body: { ...vip, control_share: 51 } },
    answers: { status: 400, body: about('control_share') },
  },
]
