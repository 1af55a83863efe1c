import { expect } from 'vitest'
import { COUNT, error, ISO, NOWHERE, type Row, TEXT } from '../row'
import { afterwards, all, given, unlimited } from './arrange'
import { about, byId, cases, notFor, signedOut } from './cases'

const ID = 'd1000000-0000-4000-8000-000000000001'
const RUN_ID = 'd1000000-0000-4000-8000-000000000003'
const ONE = '/api/automations/{id}'
const RESULTS = `GET ${ONE}/results`
const TEST = `POST ${ONE}/test`
const PREVIEW = 'POST /api/automations/preview'
const DRAFT_TEST = 'POST /api/automations/test'
const RESUME = `POST ${ONE}/runs/{runId}/resume`

const automation = given('automations', () => ({
  id: ID,
  name: 'Contrato resultados',
  type: 'birthday',
  channel: 'email',
  status: 'active',
  subject: 'Hola',
  body: 'Felicidades.',
  content_variables: {},
  criteria: {},
  location_ids: [],
  tags: ['nadie'],
  tier_ids: [],
  created_at: '2026-05-01T10:00:00Z',
  updated_at: '2026-05-01T10:00:00Z',
}))
const draft = { type: 'birthday', channel: 'email', subject: 'Hola', body: 'Felicidades.' }
const UNDECIDED = {
  started_by: null,
  started_by_name: null,
  guests: null,
  expires_at: null,
  decided_by: null,
  decided_at: null,
  stopped_by: null,
  stopped_at: null,
}
const ran = (status: 'paused' | 'finished' | 'waiting_approval') =>
  given('automation_runs', () => ({
    id: RUN_ID,
    automation_id: ID,
    automation_name: 'Contrato resultados',
    triggered_by: 'manual',
    status,
    reason: status === 'paused' ? 'provider_auth' : null,
    processed: 0,
    sent: 0,
    skipped: 0,
    failed: 0,
    guests: status === 'waiting_approval' ? 4 : null,
    expires_at: status === 'waiting_approval' ? '2099-01-01T00:00:00Z' : null,
    event: {},
    started_at: '2026-05-01T10:00:00Z',
  }))

const section = cases('decisions §5, §8: automations', 'marketing')
const resume = (when: string, status: number, body: Row['body'], rest: Partial<Row> = {}): Row => ({
  section: 'decisions §5, §8: automations',
  as: 'marketing',
  when,
  call: RESUME,
  path: () => `/api/automations/${ID}/runs/${RUN_ID}/resume`,
  status,
  body,
  ...rest,
})

const OVER = { approve: 'running', refuse: 'refused', stop: 'stopped' } as const
const json = (way: keyof typeof OVER) => (way === 'approve' ? { json: { guests: 4 } } : {})

/** Deciding on a run that waits. */
function decisions(way: keyof typeof OVER): Row[] {
  const approval = cases('decisions §10: approval of large sends', 'marketing')
  const row = (
    when: string,
    status: number,
    body: object,
    { run = RUN_ID, ...rest }: NonNullable<Parameters<typeof approval>[4]> & { run?: string } = {},
  ): Row => ({
    ...approval(`${way}: ${when}`, `POST ${ONE}/runs/{runId}/${way}`, status, body, {
      ...json(way),
      ...rest,
    }),
    path: () => `/api/automations/${ID}/runs/${run}/${way}`,
  })
  const decided = { data: expect.objectContaining({ id: RUN_ID, status: OVER[way] }) }
  const missed = error(way === 'stop' ? 'Not running' : 'Not waiting for approval')
  return [
    row('it waits', 200, decided, { arrange: all(automation, ran('waiting_approval')) }),
    row('it is over', 409, missed, { arrange: all(automation, ran('finished')) }),
    row('there is no such run', 404, error('Not found'), { run: NOWHERE, arrange: automation }),
    row('there is no session', 401, error('Unauthorized'), { as: 'nobody' }),
    row('the role lacks canAccessMarketing', 403, error('Forbidden'), { as: 'operaciones' }),
    ...(way === 'approve'
      ? [row('what was seen is missing', 400, about('guests'), { json: {}, arrange: automation })]
      : []),
  ]
}

const stopping = cases('decisions §10: stopping sends', 'marketing')
const GET_SENDING = 'GET /api/automations/sending'
const PUT_SENDING = 'PUT /api/automations/sending'
const FLOWING = { data: { stopped_at: null, stopped_by: null } }
const STOPPED = { data: { stopped_at: ISO, stopped_by: TEXT } }

/** What an automation's messages brought, a test message, and a paused run that goes on. */
export const deliveryRows: Row[] = [
  ...signedOut([RESULTS, TEST, PREVIEW, DRAFT_TEST]),
  ...notFor('operaciones', 'canAccessMarketing', [RESULTS, TEST, PREVIEW, DRAFT_TEST]),
  ...byId([RESULTS], { as: 'marketing', id: ID, given: automation }),
  section(
    'nothing was sent yet',
    RESULTS,
    200,
    {
      data: {
        from: ISO,
        to: ISO,
        messages: { total: 0, sent: 0, delivered: 0, simulated: 0, skipped: 0, failed: 0, pending: 0 },
        reservations: 0,
        covers: 0,
        revenue: 0,
        estimated_revenue: 0,
      },
    },
    { id: ID, arrange: automation },
  ),
  section('the days are out of range', RESULTS, 400, about('days'), { id: ID, query: '?days=0' }),
  section(
    'a test e-mail goes to who asks',
    TEST,
    200,
    ({ email }) => ({
      data: {
        channel: 'email',
        recipient: email('marketing'),
        status: 'sent',
        reason: null,
        simulated: true,
      },
    }),
    { id: ID, json: {}, arrange: all(unlimited, automation) },
  ),
  section('a test e-mail would go to another', TEST, 400, about('recipient'), {
    id: ID,
    json: { recipient: 'otra@contrato.example' },
    arrange: all(unlimited, automation),
  }),
  section('the automation is unknown', TEST, 404, error('Not found'), { json: {}, arrange: unlimited }),
  section(
    'nobody matches what is not saved',
    PREVIEW,
    200,
    {
      data: {
        matched: 0,
        to_send: 0,
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
        sample: null,
      },
    },
    { as: 'stranger', json: draft },
  ),
  section('the template is malformed', PREVIEW, 400, about('body'), {
    json: { ...draft, body: 'Hola\n{{ first_name' },
  }),
  section('they are changes to nothing', PREVIEW, 404, error('Not found'), {
    json: { ...draft, id: NOWHERE },
  }),
  section('they are changes to another organization’s', PREVIEW, 404, error('Not found'), {
    as: 'stranger',
    json: { ...draft, id: ID },
    arrange: automation,
  }),
  section(
    'a test of what is not saved goes to who asks',
    DRAFT_TEST,
    200,
    ({ email }) => ({
      data: {
        channel: 'email',
        recipient: email('marketing'),
        status: 'sent',
        reason: null,
        simulated: true,
      },
    }),
    { json: { automation: draft }, arrange: unlimited },
  ),
  section('a test needs a phone number', DRAFT_TEST, 400, about('recipient'), {
    json: { automation: { ...draft, channel: 'sms' } },
    arrange: unlimited,
  }),
  section('a test of changes to nothing', DRAFT_TEST, 404, error('Not found'), {
    json: { automation: { ...draft, id: NOWHERE } },
    arrange: unlimited,
  }),
  resume(
    'the run is paused',
    200,
    () => ({
      data: {
        id: RUN_ID,
        automation_id: ID,
        automation_name: 'Contrato resultados',
        triggered_by: 'manual',
        status: expect.stringMatching(/^(running|finished)$/),
        reason: null,
        processed: 0,
        sent: 0,
        skipped: 0,
        failed: 0,
        pending: COUNT,
        simulated: 0,
        ...UNDECIDED,
        started_at: ISO,
        finished_at: expect.toSatisfy((value) => value === null || typeof value === 'string'),
      },
    }),
    { arrange: all(automation, ran('paused')) },
  ),
  resume('the run is over', 409, error('Not paused'), { arrange: all(automation, ran('finished')) }),
  resume('there is no such run', 404, error('Not found'), {
    arrange: automation,
    path: () => `/api/automations/${ID}/runs/${NOWHERE}/resume`,
  }),
  resume('there is no session', 401, error('Unauthorized'), { as: 'nobody' }),
  resume('the role lacks canAccessMarketing', 403, error('Forbidden'), { as: 'operaciones' }),
  ...(['approve', 'refuse', 'stop'] as const).flatMap((way) => decisions(way)),
  stopping('it is asked whether automations send', GET_SENDING, 200, FLOWING),
  stopping('nothing is stopped, and is to go on', PUT_SENDING, 200, FLOWING, { json: { stopped: false } }),
  stopping('everything is to stop', PUT_SENDING, 200, STOPPED, {
    json: { stopped: true },
    arrange: afterwards(
      'update public.organizations set sending_stopped_at = null, sending_stopped_by = null',
    ),
  }),
  stopping('the body is no decision', PUT_SENDING, 400, about('stopped'), { json: { stopped: 'yes' } }),
  ...signedOut([GET_SENDING, PUT_SENDING]),
  ...notFor('operaciones', 'canAccessMarketing', [GET_SENDING, PUT_SENDING]),
]
