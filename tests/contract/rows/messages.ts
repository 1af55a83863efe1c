import { error, ISO, type Row } from '../row'
import { all, given } from './arrange'
import { about } from './cases'

const ID = '30000000-0000-4000-8000-000000000001'
const AUTOMATION = '30000000-0000-4000-8000-000000000002'
const MESSAGES = 'GET /api/messages'
const RECONCILE = 'POST /api/messages/{id}/reconcile'

const written = all(
  given('automations', () => ({
    id: AUTOMATION,
    name: 'Contrato mensajes',
    type: 'vip_reward',
    channel: 'email',
    criteria: { min_spend: 100 },
  })),
  given('messages', () => ({
    id: ID,
    kind: 'marketing',
    purpose: 'birthday',
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
  purpose: 'birthday',
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
    detail: null,
    simulated: false,
    created_at: ISO,
    sent_at,
  },
})

/** The messages to customers. */
export const messageRows: Row[] = [
  {
    name: 'records that the message was sent',
    section: 'our own: messages',
    as: 'marketing',
    request: { operation: RECONCILE, id: ID, body: { status: 'sent' } },
    arrange: unknown,
    answers: { status: 200, body: reconciled('sent', null, ISO) },
  },
  {
    name: 'records that the message failed',
    section: 'our own: messages',
    as: 'marketing',
    request: { operation: RECONCILE, id: ID, body: { status: 'failed' } },
    arrange: unknown,
    answers: { status: 200, body: reconciled('failed', 'reconciled', null) },
  },
  {
    name: 'refuses a message whose outcome is known',
    section: 'our own: messages',
    as: 'marketing',
    request: { operation: RECONCILE, id: ID, body: { status: 'sent' } },
    arrange: written,
    answers: { status: 409, body: error('Not unknown') },
  },
  {
    name: 'refuses an unknown outcome',
    section: 'our own: messages',
    as: 'marketing',
    request: { operation: RECONCILE, id: ID, body: { status: 'delivered' } },
    arrange: unknown,
    answers: { status: 400, body: about('status') },
  },
  {
    name: 'lists the message of an automation',
    section: 'our own: messages',
    as: 'marketing',
    request: { operation: MESSAGES, query: `?automation_id=${AUTOMATION}&status=skipped` },
    arrange: written,
    answers: {
      status: 200,
      body: {
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
            detail: null,
            simulated: false,
            created_at: ISO,
            sent_at: null,
          },
        ],
        next_cursor: null,
      },
    },
  },
  {
    name: 'lists nothing of another organization',
    section: 'our own: messages',
    as: 'stranger',
    request: { operation: MESSAGES, query: `?automation_id=${AUTOMATION}` },
    arrange: written,
    answers: { status: 200, body: { data: [], next_cursor: null } },
  },
  {
    name: 'refuses an unknown status',
    section: 'our own: messages',
    as: 'marketing',
    request: { operation: MESSAGES, query: '?status=lost' },
    answers: { status: 400, body: about('status') },
  },
]
