import { type Arrange, error, ISO, type Row, UUID } from '../row'
import { afterwards, all, given } from './arrange'
import { about } from './cases'

const LIST = 'GET /api/conversations'
const ONE = 'GET /api/conversations/{id}'
const REPLY = 'POST /api/conversations/{id}/reply'
const READ = 'POST /api/conversations/{id}/read'
const SECTION = 'our own: conversations'
const GUEST = 'b1000000-0000-4000-8000-000000000001'
const TALK = 'b1000000-0000-4000-8000-000000000002'
const TEXT = 'b1000000-0000-4000-8000-000000000003'
const PHONE = '+34600111333'

const now = () => new Date().toISOString()
const wrote = (channel: 'sms' | 'whatsapp', at = now()): Arrange =>
  all(
    afterwards(`delete from public.messages where about_id = '${TALK}'`),
    given('customers', () => ({ id: GUEST, first_name: 'Ana', phone: PHONE })),
    given('conversations', () => ({
      ...{ id: TALK, customer_id: GUEST, channel, address: PHONE, unread: 1 },
      ...{ last_message_at: at, last_inbound_at: at },
    })),
    given('conversation_messages', () => ({
      ...{ id: TEXT, conversation_id: TALK, direction: 'in', text: '¿Tenéis trona?' },
      ...{ provider_id: 'SM-contract', at },
    })),
  )
const optedOut = given('suppressions', () => ({
  ...{ id: TEXT, channel: 'sms', address: PHONE, reason: 'stop' },
}))
const talk = {
  ...{ id: TALK, customer_id: GUEST, customer_name: 'Ana', allergies: [], channel: 'sms', address: PHONE },
  ...{ last_at: ISO, unread: 1, can_reply_until: null },
}
const answer = { text: 'Sí, dos' }

/** What guests and strangers write, and writing back. */
export const conversationRows: Row[] = [
  {
    name: 'lists the conversations, the latest first',
    section: SECTION,
    as: 'operaciones',
    request: { operation: LIST, query: `?customer_id=${GUEST}` },
    arrange: wrote('sms'),
    answers: {
      status: 200,
      body: {
        data: [{ ...talk, last_text: '¿Tenéis trona?', last_media: null, last_direction: 'in' }],
        next_cursor: null,
      },
    },
  },
  {
    name: 'refuses a filter that is none',
    section: 'our own: 400 bad input',
    as: 'operaciones',
    request: { operation: LIST, query: '?unread=perhaps' },
    answers: { status: 400, body: about('unread') },
  },
  {
    name: 'gives a conversation with its texts',
    section: SECTION,
    as: 'operaciones',
    request: { operation: ONE, id: TALK },
    arrange: wrote('sms'),
    answers: {
      status: 200,
      body: {
        data: {
          ...talk,
          reply_obstacle: null,
          texts: [
            {
              ...{ id: TEXT, direction: 'in', text: '¿Tenéis trona?', media: null, at: ISO, sent_by: null },
              ...{ ticket_id: null, status: null, reason: null, simulated: false },
            },
          ],
          earlier_cursor: null,
        },
      },
    },
  },
  {
    name: 'writes back',
    section: SECTION,
    as: 'operaciones',
    request: { operation: REPLY, id: TALK, body: answer },
    arrange: wrote('sms'),
    answers: { status: 201, body: { data: { id: UUID, conversation_id: TALK, channel: 'sms' } } },
  },
  {
    name: 'refuses to write to who opted out',
    section: SECTION,
    as: 'operaciones',
    request: { operation: REPLY, id: TALK, body: answer },
    arrange: all(wrote('sms'), optedOut),
    answers: { status: 409, body: error('They asked for no more messages') },
  },
  {
    name: 'refuses free text by WhatsApp a day after they wrote',
    section: SECTION,
    as: 'operaciones',
    request: { operation: REPLY, id: TALK, body: answer },
    arrange: wrote('whatsapp', '2026-01-01T12:00:00Z'),
    answers: {
      status: 409,
      body: error('They wrote more than 24 hours ago: WhatsApp takes an approved template only'),
    },
  },
  {
    name: 'refuses an empty text',
    section: 'our own: 400 bad input',
    as: 'operaciones',
    request: { operation: REPLY, id: TALK, body: { text: ' ' } },
    arrange: wrote('sms'),
    answers: { status: 400, body: about('text') },
  },
  {
    name: 'marks a conversation as read',
    section: SECTION,
    as: 'operaciones',
    request: { operation: READ, id: TALK },
    arrange: wrote('sms'),
    answers: { status: 200, body: { data: { id: TALK, unread: 0 } } },
  },
]
