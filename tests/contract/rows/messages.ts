import { error, ISO, type Row } from '../row'
import { all, given } from './arrange'
import { about, byId, cases, notFor, signedOut } from './cases'

const ID = '30000000-0000-4000-8000-000000000001'
const AUTOMATION = '30000000-0000-4000-8000-000000000002'
const MESSAGES = 'GET /api/messages'
const RECONCILE = 'POST /api/messages/{id}/reconcile'
const message = cases('decisions §8: messages', 'marketing')
const written = all(
  given('automations', () => ({
    id: AUTOMATION,
    name: 'Contrato mensajes',
    type: 'vip_reward',
    channel: 'email',
  })),
  given('messages', () => ({
    id: ID,
    kind: 'marketing',
    automation_id: AUTOMATION,
    channel: 'email',
    recipient: 'ana@contrato.example',
    status: 'skipped',
    reason: 'frequency_cap',
    dedupe_key: 'contract',
    content: {},
  })),
)

const unknown = given('messages', () => ({
  id: ID,
  kind: 'marketing',
  channel: 'sms',
  recipient: '+34600000001',
  status: 'unknown',
  reason: 'provider_timeout',
  dedupe_key: 'contract-unknown',
  content: {},
  not_before: '2026-05-01T10:00:00Z',
  attempts: 1,
  maybe_accepted: false,
  created_at: '2026-05-01T10:00:00Z',
  updated_at: '2026-05-01T10:00:00Z',
}))
const reconciled = (status: string, reason: string | null, sent_at: string | null) => ({
  data: {
    id: ID,
    automation_id: null,
    run_id: null,
    customer_id: null,
    channel: 'sms',
    recipient: '+34600000001',
    status,
    reason,
    simulated: false,
    created_at: ISO,
    sent_at,
  },
})

/** The messages to customers. */
export const messageRows: Row[] = [
  ...signedOut([MESSAGES, RECONCILE]),
  ...notFor('rrhh', 'canAccessMarketing', [MESSAGES, RECONCILE]),
  ...byId([RECONCILE], {
    as: 'marketing',
    id: ID,
    given: unknown,
    json: { [RECONCILE]: { status: 'sent' } },
  }),
  message('it turns out to be sent', RECONCILE, 200, reconciled('sent', null, ISO), {
    id: ID,
    json: { status: 'sent' },
    arrange: unknown,
  }),
  message('it turns out to have failed', RECONCILE, 200, reconciled('failed', 'reconciled', null), {
    id: ID,
    json: { status: 'failed' },
    arrange: unknown,
  }),
  message('its outcome is known', RECONCILE, 409, error('Not unknown'), {
    id: ID,
    json: { status: 'sent' },
    arrange: written,
  }),
  message('the outcome is none', RECONCILE, 400, about('status'), {
    id: ID,
    json: { status: 'delivered' },
    arrange: unknown,
  }),
  message(
    'an automation wrote one',
    MESSAGES,
    200,
    {
      data: [
        {
          id: ID,
          automation_id: AUTOMATION,
          run_id: null,
          customer_id: null,
          channel: 'email',
          recipient: 'ana@contrato.example',
          status: 'skipped',
          reason: 'frequency_cap',
          simulated: false,
          created_at: ISO,
          sent_at: null,
        },
      ],
      next_cursor: null,
    },
    { query: `?automation_id=${AUTOMATION}&status=skipped`, arrange: written },
  ),
  message(
    'it is another organization’s',
    MESSAGES,
    200,
    { data: [], next_cursor: null },
    {
      as: 'stranger',
      query: `?automation_id=${AUTOMATION}`,
      arrange: written,
    },
  ),
  message('the status is unknown', MESSAGES, 400, about('status'), { query: '?status=lost' }),
]
