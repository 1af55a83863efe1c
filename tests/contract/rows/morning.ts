import { expect } from 'vitest'
import { ISO, type Row, UUID } from '../row'
import { afterwards, all, given } from './arrange'
import { about } from './cases'

const ID = 'a0000000-0000-4000-8000-0000000000ab'
const NOWHERE = 'a0000000-0000-4000-8000-0000000000ff'
const DAY = '2031-06-10'
const MORNING = 'GET /api/morning'
const MAIL = 'GET /api/account/morning-mail'
const SET_MAIL = 'PUT /api/account/morning-mail'
const PDF = 'GET /api/morning/pdf'
const LIST = 'GET /api/shift-notes'
const WRITE = 'POST /api/shift-notes'
const CHANGE = 'PATCH /api/shift-notes/{id}'
const REMOVE = 'DELETE /api/shift-notes/{id}'
const section = 'our own: the morning'

const tidy = afterwards('delete from public.shift_notes')
const by = (author: 'operaciones' | 'ceo') =>
  all(
    tidy,
    given('shift_notes', (world) => ({
      ...{ id: ID, location_id: world.location('Alfa'), day: DAY, body: 'Sin pan' },
      ...{ author_id: world.id(author), author_name: 'Sala' },
    })),
  )
const note = (changes: object = {}) => ({
  ...{ id: ID, location_id: UUID, day: DAY, body: 'Sin pan', author: 'Sala', mine: true },
  ...{ created_at: ISO, edited_at: null },
  ...changes,
})

/** The morning report, and the notes that staff hand over. */
export const morningRows: Row[] = [
  {
    name: 'gives the morning of a date, with the notes about the day before',
    section,
    as: 'operaciones',
    request: {
      operation: MORNING,
      query: ({ location }) => `?date=2031-06-11&location_id=${location('Alfa')}`,
    },
    arrange: by('operaciones'),
    answers: {
      status: 200,
      body: {
        data: {
          ...{ date: '2031-06-11', yesterday: DAY, totals: expect.any(Object), ahead: expect.any(Array) },
          ...{ locations: [expect.objectContaining({ name: 'Alfa' })], guests: [], guests_total: 0 },
          notes: [{ ...note(), location: 'Alfa' }],
          closings: [],
        },
      },
    },
  },
  {
    name: 'says when the person gets the report by e-mail',
    section,
    as: 'operaciones',
    request: { operation: MAIL },
    answers: { status: 200, body: { data: { hour: null, timezone: 'Europe/Madrid' } } },
  },
  {
    name: 'sends the report by e-mail from now on',
    section,
    as: 'operaciones',
    request: { operation: SET_MAIL, body: { hour: 8 } },
    arrange: afterwards('update public.profiles set morning_mail_hour = null'),
    answers: { status: 200, body: { data: { hour: 8, timezone: 'Europe/Madrid' } } },
  },
  {
    name: 'refuses an hour that is no morning',
    section,
    as: 'operaciones',
    request: { operation: SET_MAIL, body: { hour: 13 } },
    answers: { status: 400, body: about('hour') },
  },
  {
    name: 'gives the morning as a PDF',
    section,
    as: 'operaciones',
    request: { operation: PDF, query: '?date=2031-06-11' },
    answers: {
      status: 200,
      headers: { 'content-disposition': 'attachment; filename="morning-2031-06-11.pdf"' },
    },
  },
  {
    name: 'gives no PDF in another language',
    section,
    as: 'operaciones',
    request: { operation: PDF, query: '?language=fr' },
    answers: { status: 400, body: about('language') },
  },
  {
    name: 'gives no PDF of a location where the person does not work',
    section,
    as: 'bound',
    request: { operation: PDF, query: ({ location }) => `?location_id=${location('Bravo')}` },
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'gives no morning of a location where the person does not work',
    section,
    as: 'bound',
    request: { operation: MORNING, query: ({ location }) => `?location_id=${location('Bravo')}` },
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'refuses a date that is none',
    section,
    as: 'operaciones',
    request: { operation: MORNING, query: '?date=2031-02-30' },
    answers: { status: 400, body: about('date') },
  },
  {
    name: 'lists the notes of a day',
    section,
    as: 'operaciones',
    request: { operation: LIST, query: ({ location }) => `?location_id=${location('Alfa')}&day=${DAY}` },
    arrange: by('operaciones'),
    answers: { status: 200, body: { data: [note()] } },
  },
  {
    name: 'lists no notes of a location where the person does not work',
    section,
    as: 'bound',
    request: { operation: LIST, query: ({ location }) => `?location_id=${location('Bravo')}` },
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'refuses a location that is no id',
    section,
    as: 'operaciones',
    request: { operation: LIST, query: '?location_id=x' },
    answers: { status: 400, body: about('location_id') },
  },
  {
    name: 'writes a note about the service under way',
    section,
    as: 'operaciones',
    request: {
      operation: WRITE,
      body: ({ location }) => ({ location_id: location('Alfa'), body: 'Sin pan' }),
    },
    arrange: tidy,
    answers: {
      status: 201,
      body: { data: note({ id: UUID, day: expect.any(String), author: expect.any(String) }) },
    },
  },
  {
    name: 'refuses a note that says nothing',
    section,
    as: 'operaciones',
    request: { operation: WRITE, body: ({ location }) => ({ location_id: location('Alfa'), body: ' ' }) },
    answers: { status: 400, body: about('body') },
  },
  {
    name: 'writes no note in an unknown location',
    section,
    as: 'operaciones',
    request: { operation: WRITE, body: { location_id: NOWHERE, body: 'Sin pan' } },
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'writes no eleventh note of a day',
    section,
    as: 'operaciones',
    request: {
      operation: WRITE,
      body: ({ location }) => ({ location_id: location('Alfa'), body: 'Sin pan' }),
    },
    arrange: all(tidy, async ({ stack, location }) => {
      await stack.sql(
        `insert into public.shift_notes (organization_id, location_id, day, body, author_name)
         select organization_id, id, private.current_service(timezone, now()), 'x', 'y'
         from public.locations, generate_series(1, 10) where id = $1`,
        [location('Alfa')],
      )
    }),
    answers: { status: 409, body: { error: 'The day has ten notes already' } },
  },
  {
    name: 'changes a note of one’s own',
    section,
    as: 'operaciones',
    request: { operation: CHANGE, id: ID, body: { body: 'Con pan' } },
    arrange: by('operaciones'),
    answers: { status: 200, body: { data: note({ body: 'Con pan', edited_at: ISO }) } },
  },
  {
    name: 'refuses a change to nothing',
    section,
    as: 'operaciones',
    request: { operation: CHANGE, id: ID, body: { body: '' } },
    arrange: by('operaciones'),
    answers: { status: 400, body: about('body') },
  },
  ...[CHANGE, REMOVE].map(
    (operation): Row => ({
      name: 'leaves the note of another person alone',
      section,
      as: 'operaciones',
      request: { operation, id: ID, ...(operation === CHANGE ? { body: { body: 'Con pan' } } : {}) },
      arrange: by('ceo'),
      answers: { status: 403, body: { error: 'Only its author may change it' } },
    }),
  ),
  {
    name: 'removes a note of one’s own',
    section,
    as: 'operaciones',
    request: { operation: REMOVE, id: ID },
    arrange: by('operaciones'),
    answers: { status: 204 },
  },
]
