import { expect } from 'vitest'
import { type Arrange, error, ISO, type Row, UUID } from '../row'
import { afterwards, all, given, unlimited } from './arrange'
import { about } from './cases'

const ID = 'ca000000-0000-4000-8000-000000000001'
const SEGMENT = 'ca000000-0000-4000-8000-000000000002'
const LIST = 'GET /api/campaigns'
const CREATE = 'POST /api/campaigns'
const PREVIEW = 'POST /api/campaigns/preview'
const ONE = '/api/campaigns/{id}'
const [READ, CHANGE, DELETE, RESULTS] = [`GET ${ONE}`, `PATCH ${ONE}`, `DELETE ${ONE}`, `GET ${ONE}/results`]
const LAUNCH = `POST ${ONE}/launch`
const CHECK = `GET ${ONE}/check`
const RECIPIENTS = `GET ${ONE}/recipients`
const SENT = `GET ${ONE}/sent`
const APPROVE = `POST ${ONE}/approve`
const TEST = `POST ${ONE}/test`
const COPY = `POST ${ONE}/copy`

const message = { step: 1, variant: 'a', channel: 'sms', body: 'Hola {{ first_name }}' }
const campaign = { name: 'Del contrato', segment_id: SEGMENT, starts_local: '2190-01-01T12:00' }
const NOW = { created_at: '2026-11-20T12:00:00Z', updated_at: '2026-11-20T12:00:00Z' }

/** A campaign of everybody, as `changes` say. */
const made = (changes: object = {}): Arrange =>
  all(
    unlimited,
    given('segments', () => ({
      ...{ id: SEGMENT, name: 'Del contrato de campañas', shared: true, version: 1, ...NOW },
      definition: { field: 'tags', is: 'any', tags: ['contrato'] },
    })),
    given('campaigns', () => ({
      ...{ id: ID, status: 'draft', version: 1, location_ids: [], exclude_recent_days: 0, control_share: 0 },
      ...{ ...campaign, ...NOW, ...changes },
    })),
    given('automations', () => ({
      ...{ id: ID, campaign_id: ID, type: 'campaign', status: 'inactive', name: campaign.name, ...message },
      ...{ content_variables: {}, criteria: {}, location_ids: [], tags: [], tier_ids: [], ...NOW },
    })),
  )
const tidy = afterwards(`delete from public.campaigns where id <> '${ID}'`)
const shown = (changes: object = {}) => expect.objectContaining({ id: ID, name: campaign.name, ...changes })
const row = (operation: string, name: string, rest: Omit<Row, 'name' | 'section' | 'as'>): Row => ({
  name,
  section: 'our own: campaigns',
  as: 'marketing',
  ...rest,
  request: { ...rest.request, operation },
})
const waiting = {
  ...{ status: 'waiting_approval', guests: 12, launched_at: '2026-11-20T12:00:00Z' },
  expires_at: '2190-01-01T11:00:00Z',
}
const refused = (operation: string, text: string, body?: object): Row =>
  row(operation, 'refuses a campaign that stands otherwise', {
    request: { operation, id: ID, ...(body ? { body } : {}) },
    arrange: made({ status: 'finished' }),
    answers: { status: 409, body: error(text) },
  })
const moved = (name: string, from: object, to: object, body?: object): Row =>
  row(`POST ${ONE}/${name}`, `does it: ${name}`, {
    request: { operation: `POST ${ONE}/${name}`, id: ID, ...(body ? { body } : {}) },
    arrange: made(from),
    answers: { status: 200, body: { data: shown(to) } },
  })

/** Campaigns: drafts, launch and what follows, results. */
export const campaignRows: Row[] = [
  row(LIST, 'lists campaigns', {
    request: { operation: LIST },
    arrange: made(),
    answers: { status: 200, body: { data: [shown({ created_at: ISO })], next_cursor: null } },
  }),
  row(CREATE, 'makes a draft', {
    request: { operation: CREATE, body: { ...campaign, name: 'Nueva', messages: [message] } },
    arrange: all(made(), tidy),
    answers: {
      status: 201,
      body: { data: expect.objectContaining({ id: UUID, name: 'Nueva', status: 'draft', version: 1 }) },
    },
  }),
  row(CREATE, 'refuses a template that does not close', {
    request: {
      operation: CREATE,
      body: { name: 'Nueva', messages: [{ ...message, body: '{{ first_name' }] },
    },
    answers: { status: 400, body: about('messages.0.body') },
  }),
  row(CREATE, 'refuses a follow-up without its days', {
    request: { operation: CREATE, body: { name: 'Nueva', messages: [message, { ...message, step: 2 }] } },
    answers: { status: 400, body: about('messages.1.after_days') },
  }),
  row(PREVIEW, 'counts', {
    request: { operation: PREVIEW, body: { ...campaign, messages: [message] } },
    arrange: made(),
    answers: {
      status: 200,
      body: {
        data: expect.objectContaining({ matched: 0, to_send: 0, guest: null, asks_again: false, seed: UUID }),
      },
    },
  }),
  row(CREATE, 'refuses a seed that is none', {
    request: { operation: CREATE, body: { ...campaign, messages: [message], seed: 'x' } },
    answers: { status: 400, body: about('seed') },
  }),
  row(PREVIEW, 'finds no campaign of that id', {
    request: { operation: PREVIEW, body: { ...campaign, id: SEGMENT, messages: [message] } },
    arrange: made(),
    answers: { status: 404, body: error('Not found') },
  }),
  row(READ, 'reads one', {
    request: { operation: READ, id: ID },
    arrange: made(),
    answers: {
      status: 200,
      body: { data: shown({ messages: [expect.objectContaining({ id: ID, step: 1 })] }) },
    },
  }),
  row(CHANGE, 'changes a draft', {
    request: { operation: CHANGE, id: ID, body: { version: 1, name: 'Otra' } },
    arrange: made(),
    answers: { status: 200, body: { data: shown({ name: 'Otra', version: 2 }) } },
  }),
  refused(CHANGE, 'Not a draft', { version: 1, name: 'Otra' }),
  row(DELETE, 'deletes a draft', {
    request: { operation: DELETE, id: ID },
    arrange: made(),
    answers: { status: 204 },
  }),
  refused(DELETE, 'Not a draft'),
  row(RESULTS, 'reads results', {
    request: { operation: RESULTS, id: ID },
    arrange: made(),
    answers: {
      status: 200,
      body: {
        data: expect.objectContaining({
          ab: null,
          versions: [expect.objectContaining({ variant: 'a', sent: 0, links: [] })],
        }),
      },
    },
  }),
  row(RECIPIENTS, 'lists them', {
    request: { operation: RECIPIENTS, id: ID, query: '?outcome=clicked' },
    arrange: made({ status: 'finished', started_at: '2026-11-20T12:00:00Z' }),
    answers: { status: 200, body: { data: [], next_cursor: null } },
  }),
  row(RECIPIENTS, 'gives them as a file', {
    request: { operation: RECIPIENTS, id: ID, query: '?format=csv' },
    arrange: all(
      made(),
      afterwards(
        `delete from public.audit_log where action in ('recipients.exported', 'recipients.export_ended')`,
      ),
    ),
    answers: { status: 200, headers: { 'content-type': 'text/csv' } },
  }),
  row(RECIPIENTS, 'finds no campaign of that id', {
    request: { operation: RECIPIENTS, id: SEGMENT },
    arrange: made(),
    answers: { status: 404, body: error('Not found') },
  }),
  row(SENT, 'shows a message as it was sent', {
    request: { operation: SENT, id: ID },
    arrange: made({ status: 'finished', started_at: '2026-11-20T12:00:00Z' }),
    answers: {
      status: 200,
      body: { data: expect.objectContaining({ step: 1, variant: 'a', channel: 'sms', html: null }) },
    },
  }),
  row(SENT, 'has none of a draft', {
    request: { operation: SENT, id: ID },
    arrange: made(),
    answers: { status: 404, body: error('Not found') },
  }),
  row(CHECK, 'says what is wrong with it', {
    request: { operation: CHECK, id: ID },
    arrange: made({ starts_local: '2020-01-01T12:00' }),
    answers: {
      status: 200,
      body: { data: { blocking: [{ code: 'past', field: 'starts_local' }], warnings: [] } },
    },
  }),
  row(CHECK, 'finds no campaign of that id', {
    request: { operation: CHECK, id: SEGMENT },
    arrange: made(),
    answers: { status: 404, body: error('Not found') },
  }),
  row(LAUNCH, 'refuses what the check blocks', {
    request: { operation: LAUNCH, id: ID, body: { guests: 0, version: 1 } },
    arrange: made({ starts_local: '2020-01-01T12:00' }),
    answers: {
      status: 409,
      body: error('Something has to be mended before it can be sent'),
    },
  }),
  moved('launch', {}, { status: 'scheduled', guests: 0, mine: true }, { guests: 0, version: 1 }),
  refused(LAUNCH, 'Not a draft', { guests: 0, version: 1 }),
  moved('approve', waiting, { status: 'scheduled' }, { guests: 12, version: 1 }),
  refused(APPROVE, 'Not waiting for approval', { guests: 0, version: 1 }),
  moved('refuse', waiting, { status: 'draft', reason: 'refused' }),
  refused(`POST ${ONE}/refuse`, 'Not waiting for approval'),
  moved('unschedule', { status: 'scheduled' }, { status: 'draft' }),
  refused(`POST ${ONE}/unschedule`, 'Not scheduled'),
  moved(
    'pause',
    { status: 'sending', started_at: '2026-11-20T12:00:00Z' },
    { status: 'paused', reason: 'paused_by_hand' },
  ),
  refused(`POST ${ONE}/pause`, 'Not running'),
  moved('resume', { status: 'paused' }, { status: 'scheduled', reason: null }),
  refused(`POST ${ONE}/resume`, 'Not paused'),
  moved('stop', { status: 'scheduled' }, { status: 'stopped' }),
  refused(`POST ${ONE}/stop`, 'Not running'),
  row(COPY, 'makes a draft of it', {
    request: { operation: COPY, id: ID },
    arrange: all(made({ status: 'finished' }), tidy),
    answers: {
      status: 201,
      body: { data: expect.objectContaining({ id: UUID, status: 'draft', starts_local: null }) },
    },
  }),
  row(TEST, 'sends one of its messages to oneself', {
    request: { operation: TEST, id: ID, body: { step: 1, recipient: '+34612345678' } },
    arrange: made(),
    answers: {
      status: 200,
      body: { data: expect.objectContaining({ channel: 'sms', recipient: '+34612345678' }) },
    },
  }),
  row(TEST, 'refuses to send it to a stranger', {
    request: { operation: TEST, id: ID, body: { step: 1, channel: 'email', to: ['ana@example.com'] } },
    arrange: made(),
    answers: { status: 400, body: about('to.0') },
  }),
]
