import { surveyToken } from '@/lib/feedback/survey-token'
import { linkKey } from '@/lib/messaging/link-token'
import { type Arrange, error, ISO, type Row, TEXT, UUID } from '../row'
import type { World } from '../world'
import { afterwards, all, given, unlimited } from './arrange'
import { model } from './assistant'
import { about } from './cases'

const LIST = 'GET /api/feedback'
const REPLY = 'POST /api/feedback/{id}/reply'
const DRAFT = 'POST /api/feedback/{id}/draft'
const SURVEY = 'POST /api/f/{token}'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const GUEST = 'b0000000-0000-4000-8000-000000000001'
const VISIT = 'b0000000-0000-4000-8000-000000000002'
const MESSAGE = 'b0000000-0000-4000-8000-000000000003'

const now = () => new Date().toISOString()
const asked = all(
  afterwards(`delete from public.tickets where customer_id = '${GUEST}'`),
  afterwards(`delete from public.messages where customer_id = '${GUEST}'`),
  given('customers', ({ location }) => ({ id: GUEST, first_name: 'Ana', location_id: location('Alfa') })),
  given('reservations', ({ location }) => ({
    ...{ id: VISIT, customer_id: GUEST, location_id: location('Alfa'), status: 'completed', source: 'pms' },
    ...{ reservation_date: '2026-11-19', reservation_time: '21:00', party_size: 2 },
  })),
  given('messages', () => ({
    ...{
      id: MESSAGE,
      kind: 'marketing',
      purpose: 'post_visit',
      channel: 'sms',
      customer_id: GUEST,
      reservation_id: VISIT,
    },
    ...{ status: 'sent', dedupe_key: 'contract-survey', sent_at: now(), created_at: now(), content: {} },
  })),
)
const answered = all(
  asked,
  given('feedback', ({ location }) => ({
    ...{ id: VISIT, location_id: location('Alfa'), customer_id: GUEST, reservation_id: VISIT },
    ...{ score: 5, words: 'De diez', language: 'es', answered_at: now() },
  })),
)
const withPhone: Arrange = async ({ stack }) => {
  await stack.sql(`update public.customers set phone = '+34600111222' where id = '${GUEST}'`)
  return undefined
}
const thanks = { reply: 'Gracias, Ana' }
const token = ({ stack }: World) => surveyToken(MESSAGE, linkKey(stack.keys.secretsKey))
const refused = (name: string, body: string | object, status: number, text: string): Row => ({
  name,
  section: 'our own: f/{token}',
  as: 'visitor',
  request: { operation: SURVEY, id: token, body, ...(typeof body === 'string' ? { headers: FORM } : {}) },
  answers: { status, body: error(text) },
})

/** What guests say about their visits. */
export const feedbackRows: Row[] = [
  {
    name: 'lists the feedback, the latest first',
    section: 'our own: feedback',
    as: 'operaciones',
    request: { operation: LIST, query: `?customer_id=${GUEST}` },
    arrange: answered,
    answers: {
      status: 200,
      body: {
        data: [
          {
            ...{ id: VISIT, location_id: UUID, location: 'Alfa', customer_id: GUEST, customer_name: 'Ana' },
            allergies: [],
            ...{ reservation_id: VISIT, reservation_date: '2026-11-19', score: 5, words: 'De diez' },
            ...{ language: 'es', answered_at: ISO, ticket_id: null },
            ...{ reply: null, replied_by: null, replied_at: null },
          },
        ],
        next_cursor: null,
      },
    },
  },
  {
    name: 'refuses a score that is none',
    section: 'our own: 400 bad input',
    as: 'operaciones',
    request: { operation: LIST, query: '?score=6' },
    answers: { status: 400, body: about('score') },
  },
  {
    name: 'sends a reply to the guest',
    section: 'our own: feedback',
    as: 'operaciones',
    request: { operation: REPLY, id: VISIT, body: thanks },
    arrange: all(answered, withPhone),
    answers: { status: 201, body: { data: { id: VISIT, channel: 'sms' } } },
  },
  {
    name: 'says that no channel reaches a guest without an address',
    section: 'our own: feedback',
    as: 'operaciones',
    request: { operation: REPLY, id: VISIT, body: thanks },
    arrange: answered,
    answers: { status: 409, body: error('No channel reaches this guest') },
  },
  {
    name: 'refuses an empty reply',
    section: 'our own: 400 bad input',
    as: 'operaciones',
    request: { operation: REPLY, id: VISIT, body: { reply: ' ' } },
    arrange: answered,
    answers: { status: 400, body: about('reply') },
  },
  {
    name: 'proposes a reply',
    section: 'our own: feedback',
    as: 'operaciones',
    request: { operation: DRAFT, id: VISIT },
    arrange: all(answered, model()),
    answers: { status: 200, body: { data: { reply: TEXT } } },
  },
  {
    name: 'says that the model does not answer',
    section: 'our own: feedback',
    as: 'operaciones',
    request: { operation: DRAFT, id: VISIT },
    arrange: all(answered, model({ kind: 'unauthorized', message: 'no' })),
    answers: { status: 502, body: error('The language model does not answer') },
  },
  {
    name: 'proposes nothing without a model',
    section: 'our own: feedback',
    as: 'operaciones',
    request: { operation: DRAFT, id: VISIT },
    arrange: all(answered, unlimited),
    answers: { status: 409, body: error('No language model is configured') },
  },
  {
    name: 'saves the answer of the page’s form and leads back to it',
    section: 'our own: f/{token}',
    as: 'visitor',
    request: { operation: SURVEY, id: token, body: 'score=2&words=Lento&language=es', headers: FORM },
    arrange: asked,
    answers: { status: 303, headers: { location: '/f/' } },
  },
  {
    name: 'finds nothing under an unknown token',
    section: 'our own: f/{token}',
    as: 'visitor',
    request: { operation: SURVEY, id: 'nonsense', body: 'score=5', headers: FORM },
    answers: { status: 404, body: error('Not found') },
  },
  {
    name: 'refuses a form of another site',
    section: 'our own: f/{token}',
    as: 'visitor',
    request: {
      operation: SURVEY,
      id: token,
      body: 'score=5',
      headers: { ...FORM, origin: 'https://evil.example' },
    },
    answers: { status: 403, body: error('Forbidden') },
  },
  refused('refuses six stars', 'score=6', 400, 'Malformed form'),
  refused('refuses a form above 64 KB', `score=5&x=${'x'.repeat(70_000)}`, 413, 'Request body too large'),
  refused('refuses a body that is no form', {}, 415, 'Content-Type must be a form'),
]
