import { expect } from 'vitest'
import { type Arrange, error, ISO, type Row, TEXT, UUID } from '../row'
import { afterwards, all, given } from './arrange'
import { about, editedMeanwhile } from './cases'
import { existing } from './customers'

const ID = '5e900000-0000-4000-8000-000000000001'
const USED = '5e900000-0000-4000-8000-000000000002'
const LIST = 'GET /api/segments'
const CREATE = 'POST /api/segments'
const PREVIEW = 'POST /api/segments/preview'
const ONE = '/api/segments/{id}'
const [READ, CHANGE, DELETE] = [`GET ${ONE}`, `PATCH ${ONE}`, `DELETE ${ONE}`]

const definition = { field: 'tags', is: 'any', tags: ['contrato'] }
const wide = {
  and: [
    { field: 'received', campaign_id: ID, days: 90 },
    { not: { field: 'clicked', automation_id: USED } },
    { field: 'not_written', days: 7 },
    { field: 'survey_score', min: 4 },
    { field: 'visited_on', weekdays: [1, 2], shift: 'lunch', days: 365 },
    { field: 'birthday_within', days: 14 },
    { field: 'birthday_month', month: 'next' },
    { field: 'postal_code', prefixes: ['28', '08001'] },
    { field: 'city', any: ['Madrid', 'Alcalá de Henares'] },
    { field: 'language', any: ['en', 'fr'] },
    { field: 'party_size', max: 2 },
    { field: 'first_visit', period: { from: '2026-01-01' } },
  ],
}
const segment = { name: 'Del contrato', shared: true, definition }
const NOW = { created_at: '2026-11-20T12:00:00Z', updated_at: '2026-11-20T12:00:00Z' }
const made = given('segments', () => ({ id: ID, version: 1, ...segment, ...NOW }))
const tidy = afterwards(`delete from public.segments where name = 'Nuevo del contrato'`)
const used: Arrange = all(
  made,
  given('automations', () => ({
    ...{ id: USED, name: 'Usa el segmento', type: 'birthday', channel: 'sms', status: 'inactive', body: '' },
    ...{ content_variables: {}, location_ids: [], tags: [], tier_ids: [], ...NOW },
    criteria: { days_before: 7, segment_id: ID },
  })),
)
const shown = (changes: object = {}) => ({
  id: ID,
  ...segment,
  owner_name: null,
  mine: false,
  can_change: true,
  version: 1,
  used_by: { total: 0, campaigns: [], automations: [] },
  created_at: ISO,
  updated_at: ISO,
  ...changes,
})
const row = (operation: string, name: string, rest: Omit<Row, 'name' | 'section' | 'as'>): Row => ({
  name,
  section: 'our own: segments',
  as: 'marketing',
  ...rest,
  request: { ...rest.request, operation },
})

/** Segments: kept, previewed, used. */
export const segmentRows: Row[] = [
  editedMeanwhile(CHANGE, 'name', { as: 'marketing', id: ID, given: made }),
  row(LIST, 'lists the shared segments', {
    request: { operation: LIST },
    arrange: made,
    answers: { status: 200, body: { data: [shown()], next_cursor: null } },
  }),
  row(CREATE, 'makes one', {
    request: { operation: CREATE, body: { name: 'Nuevo del contrato', definition } },
    arrange: tidy,
    answers: {
      status: 201,
      body: {
        data: shown({ id: UUID, name: 'Nuevo del contrato', shared: false, mine: true, owner_name: TEXT }),
      },
    },
  }),
  row(CREATE, 'refuses a name in use', {
    request: { operation: CREATE, body: segment },
    arrange: made,
    answers: { status: 409, body: error('Already exists') },
  }),
  row(CREATE, 'takes conditions of every kind', {
    request: { operation: CREATE, body: { name: 'Nuevo del contrato', definition: wide } },
    arrange: tidy,
    answers: {
      status: 201,
      body: {
        data: shown({
          ...{ id: UUID, name: 'Nuevo del contrato', shared: false, mine: true, owner_name: TEXT },
          definition: wide,
        }),
      },
    },
  }),
  row(CREATE, 'refuses an unknown field', {
    request: { operation: CREATE, body: { ...segment, definition: { field: 'shoe_size' } } },
    answers: { status: 400, body: about('definition') },
  }),
  row(PREVIEW, 'counts and shows', {
    request: { operation: PREVIEW, body: { definition } },
    arrange: existing,
    answers: {
      status: 200,
      body: { data: { customers: 1, first: [expect.objectContaining({ name: 'Ana Ruiz' })] } },
    },
  }),
  row(PREVIEW, 'says whom a change adds and drops', {
    request: { operation: PREVIEW, body: { definition: { not: definition }, id: ID } },
    arrange: all(existing, made),
    answers: {
      status: 200,
      body: {
        data: expect.objectContaining({
          dropped: { customers: 1, first: [expect.objectContaining({ name: 'Ana Ruiz' })] },
        }),
      },
    },
  }),
  row(PREVIEW, 'refuses an empty definition', {
    request: { operation: PREVIEW, body: { definition: { and: [] } } },
    answers: { status: 400, body: about('definition.and') },
  }),
  row(PREVIEW, 'finds no segment of that id', {
    request: { operation: PREVIEW, body: { definition, id: ID } },
    answers: { status: 404, body: error('Not found') },
  }),
  row(READ, 'reads one', {
    request: { operation: READ, id: ID },
    arrange: made,
    answers: { status: 200, body: { data: shown() } },
  }),
  row(READ, 'says what uses it', {
    request: { operation: READ, id: ID },
    arrange: used,
    answers: {
      status: 200,
      body: {
        data: shown({
          used_by: { total: 1, campaigns: [], automations: [{ id: USED, name: 'Usa el segmento' }] },
        }),
      },
    },
  }),
  row(READ, 'shows what cannot be read any more in its place', {
    request: { operation: READ, id: ID },
    arrange: given('segments', () => ({
      ...{ id: ID, version: 1, ...segment, ...NOW },
      definition: { and: [definition, { not: { field: 'opened', days: '[…]' } }] },
    })),
    answers: {
      status: 200,
      body: {
        data: shown({
          definition: { and: [definition, { not: { field: 'opened', broken: true } }] },
          broken: true,
        }),
      },
    },
  }),
  row(CHANGE, 'changes the fields given', {
    request: { operation: CHANGE, id: ID, body: { definition: { not: definition } } },
    arrange: made,
    answers: { status: 200, body: { data: shown({ definition: { not: definition }, version: 2 }) } },
  }),
  {
    ...row(CHANGE, 'refuses who neither made it nor manages marketing', {
      request: { operation: CHANGE, id: ID, body: { name: 'Suyo' } },
      arrange: made,
      answers: { status: 403, body: error('Forbidden') },
    }),
    as: 'operaciones',
  },
  row(CHANGE, 'refuses to share no more what automations use', {
    request: { operation: CHANGE, id: ID, body: { shared: false } },
    arrange: used,
    answers: { status: 409, body: error('Campaigns or automations use the segment') },
  }),
  {
    ...row(DELETE, 'refuses who neither made it nor manages marketing', {
      request: { operation: DELETE, id: ID },
      arrange: made,
      answers: { status: 403, body: error('Forbidden') },
    }),
    as: 'operaciones',
  },
  row(DELETE, 'names the automations that use it', {
    request: { operation: DELETE, id: ID },
    arrange: used,
    answers: {
      status: 409,
      body: {
        error: 'Campaigns or automations use the segment',
        code: 'SEGMENT_IN_USE',
        in_use: { total: 1, campaigns: [], automations: [{ id: USED, name: 'Usa el segmento' }] },
      },
    },
  }),
  row(DELETE, 'deletes one', {
    request: { operation: DELETE, id: ID },
    arrange: made,
    answers: { status: 204 },
  }),
]
