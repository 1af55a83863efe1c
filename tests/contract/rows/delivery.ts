import { expect } from 'vitest'
import { COUNT, error, ISO, NOWHERE, type Row, TEXT, UUID } from '../row'
import { afterwards, all, given, unlimited } from './arrange'
import { about } from './cases'

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
  criteria: { days_before: 7 },
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

const OVER = { approve: 'running', refuse: 'refused', stop: 'stopped' } as const

/** Deciding on a run that waits for approval. */
function decisions(way: keyof typeof OVER): Row[] {
  const operation = `POST ${ONE}/runs/{runId}/${way}`
  const section = 'our own: approval of large sends'
  const request = {
    operation,
    id: ID,
    second: RUN_ID,
    ...(way === 'approve' ? { body: { guests: 4 } } : {}),
  }
  return [
    {
      name: `can ${way} a run that waits`,
      section,
      as: 'marketing',
      request,
      arrange: all(automation, ran('waiting_approval')),
      answers: {
        status: 200,
        body: { data: expect.objectContaining({ id: RUN_ID, status: OVER[way] }) },
      },
    },
    {
      name: `refuses to ${way} a finished run`,
      section,
      as: 'marketing',
      request,
      arrange: all(automation, ran('finished')),
      answers: { status: 409, body: error(way === 'stop' ? 'Not running' : 'Not waiting for approval') },
    },
    {
      name: 'finds no unknown run',
      section,
      as: 'marketing',
      request: { ...request, second: NOWHERE },
      arrange: automation,
      answers: { status: 404, body: error('Not found') },
    },
    {
      name: 'refuses a caller without a session',
      section,
      as: 'visitor',
      request,
      answers: { status: 401, body: error('Unauthorized') },
    },
    {
      name: 'refuses a role without canAccessMarketing',
      section,
      as: 'operaciones',
      request,
      answers: { status: 403, body: error('Forbidden') },
    },
    ...(way === 'approve' ? [approvalOfUnseenGuests(request)] : []),
  ]
}

const approvalOfUnseenGuests = (request: Row['request']): Row => ({
  name: 'refuses to approve without the number of guests seen',
  section: 'our own: approval of large sends',
  as: 'marketing',
  request: { ...request, body: {} },
  arrange: automation,
  answers: { status: 400, body: about('guests') },
})

const GET_SENDING = 'GET /api/automations/sending'
const PUT_SENDING = 'PUT /api/automations/sending'
const FLOWING = { data: { stopped_at: null, stopped_by: null } }
const STOPPED = { data: { stopped_at: ISO, stopped_by: TEXT } }

/** What an automation's messages brought, a test message, and a paused run that goes on. */
export const deliveryRows: Row[] = [
  {
    name: 'counts zero before anything was sent',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: RESULTS, id: ID },
    arrange: automation,
    answers: {
      status: 200,
      body: {
        data: {
          from: ISO,
          to: ISO,
          messages: {
            ...{ total: 0, sent: 0, delivered: 0, simulated: 0, skipped: 0, failed: 0, pending: 0 },
            ...{ emails: 0, opened: 0, maybe_opened: 0, clicked: 0 },
          },
          links: [],
          reservations: 0,
          covers: 0,
          revenue: 0,
          estimated_revenue: 0,
        },
      },
    },
  },
  {
    name: 'refuses days out of range',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: RESULTS, id: ID, query: '?days=0' },
    answers: { status: 400, body: about('days') },
  },
  {
    name: 'sends the test e-mail to the person who asks',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: TEST, id: ID, body: {} },
    arrange: all(unlimited, automation),
    answers: {
      status: 200,
      body: ({ email }) => ({
        data: {
          channel: 'email',
          recipient: email('marketing'),
          status: 'sent',
          reason: null,
          simulated: true,
        },
      }),
    },
  },
  {
    name: 'refuses to send the test e-mail to another person',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: TEST, id: ID, body: { recipient: 'otra@contrato.example' } },
    arrange: all(unlimited, automation),
    answers: { status: 400, body: about('recipient') },
  },
  {
    name: 'finds no unknown automation',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: TEST, body: {} },
    arrange: unlimited,
    answers: { status: 404, body: error('Not found') },
  },
  {
    name: 'previews unsaved changes that match no customer',
    section: 'our own: automations',
    as: 'stranger',
    request: { operation: PREVIEW, body: draft },
    answers: {
      status: 200,
      body: {
        data: {
          matched: 0,
          to_send: 0,
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
          sample: null,
          check: { blocking: [], warnings: [] },
          seed: UUID,
        },
      },
    },
  },
  {
    name: 'refuses a malformed template',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: PREVIEW, body: { ...draft, body: 'Hola\n{{ first_name' } },
    answers: { status: 400, body: about('body') },
  },
  {
    name: 'finds nothing under an unknown id',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: PREVIEW, body: { ...draft, id: NOWHERE } },
    answers: { status: 404, body: error('Not found') },
  },
  {
    name: 'finds nothing of another organization',
    section: 'our own: automations',
    as: 'stranger',
    request: { operation: PREVIEW, body: { ...draft, id: ID } },
    arrange: automation,
    answers: { status: 404, body: error('Not found') },
  },
  {
    name: 'sends the test of unsaved changes to the person who asks',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: DRAFT_TEST, body: { automation: draft } },
    arrange: unlimited,
    answers: {
      status: 200,
      body: ({ email }) => ({
        data: {
          channel: 'email',
          recipient: email('marketing'),
          status: 'sent',
          reason: null,
          simulated: true,
        },
      }),
    },
  },
  {
    name: 'refuses a test by SMS without a phone number',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: DRAFT_TEST, body: { automation: { ...draft, channel: 'sms' } } },
    arrange: unlimited,
    answers: { status: 400, body: about('recipient') },
  },
  {
    name: 'finds nothing under an unknown id',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: DRAFT_TEST, body: { automation: { ...draft, id: NOWHERE } } },
    arrange: unlimited,
    answers: { status: 404, body: error('Not found') },
  },
  {
    name: 'resumes a paused run',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: RESUME, id: ID, second: RUN_ID },
    arrange: all(automation, ran('paused')),
    answers: {
      status: 200,
      body: {
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
      },
    },
  },
  {
    name: 'refuses to resume a finished run',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: RESUME, id: ID, second: RUN_ID },
    arrange: all(automation, ran('finished')),
    answers: { status: 409, body: error('Not paused') },
  },
  {
    name: 'finds no unknown run',
    section: 'our own: automations',
    as: 'marketing',
    request: { operation: RESUME, id: ID, second: NOWHERE },
    arrange: automation,
    answers: { status: 404, body: error('Not found') },
  },
  {
    name: 'refuses a caller without a session',
    section: 'our own: automations',
    as: 'visitor',
    request: { operation: RESUME, id: ID, second: RUN_ID },
    answers: { status: 401, body: error('Unauthorized') },
  },
  {
    name: 'refuses a role without canAccessMarketing',
    section: 'our own: automations',
    as: 'operaciones',
    request: { operation: RESUME, id: ID, second: RUN_ID },
    answers: { status: 403, body: error('Forbidden') },
  },
  ...(['approve', 'refuse', 'stop'] as const).flatMap(decisions),
  {
    name: 'says whether automations send',
    section: 'our own: stopping sends',
    as: 'marketing',
    request: { operation: GET_SENDING },
    answers: { status: 200, body: FLOWING },
  },
  {
    name: 'goes on when nothing is stopped',
    section: 'our own: stopping sends',
    as: 'marketing',
    request: { operation: PUT_SENDING, body: { stopped: false } },
    answers: { status: 200, body: FLOWING },
  },
  {
    name: 'stops all sending',
    section: 'our own: stopping sends',
    as: 'marketing',
    request: { operation: PUT_SENDING, body: { stopped: true } },
    arrange: afterwards(
      'update public.organizations set sending_stopped_at = null, sending_stopped_by = null',
    ),
    answers: { status: 200, body: STOPPED },
  },
  {
    name: 'refuses a body that is no decision',
    section: 'our own: stopping sends',
    as: 'marketing',
    request: { operation: PUT_SENDING, body: { stopped: 'yes' } },
    answers: { status: 400, body: about('stopped') },
  },
]
