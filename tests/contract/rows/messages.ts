import { ISO, type Row } from '../row'
import { all, given } from './arrange'
import { about, cases, notFor, signedOut } from './cases'

const ID = '30000000-0000-4000-8000-000000000001'
const AUTOMATION = '30000000-0000-4000-8000-000000000002'
const MESSAGES = 'GET /api/messages'
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

/** The messages to customers. */
export const messageRows: Row[] = [
  ...signedOut([MESSAGES]),
  ...notFor('rrhh', 'canAccessMarketing', [MESSAGES]),
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
