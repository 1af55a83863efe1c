import { COUNT, ISO, type Row, TEXT, UUID } from '../row'
import type { World } from '../world'
import { afterwards, all, given } from './arrange'
import { about, editedMeanwhile } from './cases'

const ID = 'f0000000-0000-4000-8000-000000000001'
const COMMENT = 'f0000000-0000-4000-8000-000000000002'
const LIST = 'GET /api/tickets'
const CREATE = 'POST /api/tickets'
const ONE = '/api/tickets/{id}'
const COMMENTS = `GET ${ONE}/comments`
const ACTIVITY = `GET ${ONE}/activity`
const ADD = `POST ${ONE}/comments`

const printer = { subject: 'Contrato: no imprime', description: 'La de cocina' }
const ticket = (place = 'Alfa') =>
  given('tickets', ({ location, id }) => ({
    id: ID,
    ...printer,
    priority: 'high',
    location_id: location(place),
    requester_id: id('rrhh'),
    // No notice of it is sent.
    notified_changes: 1,
  }))
const shown =
  (changes: object = {}) =>
  ({ location, id }: World) => ({
    data: {
      id: ID,
      number: COUNT,
      ...printer,
      status: 'open',
      priority: 'high',
      sla_due_at: ISO,
      location_id: location('Alfa'),
      customer_id: null,
      assignee_id: null,
      assignee_name: null,
      requester_id: id('rrhh'),
      requester_name: TEXT,
      notified_at: null,
      sla_reminded_at: null,
      resolved_at: null,
      created_at: ISO,
      updated_at: ISO,
      ...changes,
    },
  })
const tidy = afterwards(`delete from public.tickets where subject = '${printer.subject}'`)
const commented = all(ticket(), async ({ stack, id }) => {
  await stack.sql(
    `insert into public.ticket_comments (id, ticket_id, author_id, author_name, body)
     values ($1, $2, $3, 'Lucía Prieto', 'Viene a las cinco')`,
    [COMMENT, ID, id('rrhh')],
  )
  return undefined
})
const said = (id: unknown, author_name: unknown) => (world: World) => ({
  id,
  ticket_id: ID,
  author_id: world.id('rrhh'),
  author_name,
  body: 'Viene a las cinco',
  created_at: ISO,
})

/** Tickets and their comments. */
export const ticketRows: Row[] = [
  editedMeanwhile(`PATCH ${ONE}`, 'description', { as: 'rrhh', id: ID, given: ticket() }),
  {
    name: 'lists the ticket that matches',
    section: 'our own: tickets',
    as: 'rrhh',
    request: { operation: LIST, query: '?status=open&priority=high&search=contrato' },
    arrange: ticket(),
    answers: { status: 200, body: (world) => ({ data: [shown()(world).data], next_cursor: null }) },
  },
  {
    name: 'lists nothing of a location where the person does not work',
    section: 'our own: tickets',
    as: 'bound',
    request: { operation: LIST, query: '?search=contrato' },
    arrange: ticket('Bravo'),
    answers: { status: 200, body: { data: [], next_cursor: null } },
  },
  {
    name: 'refuses an unknown status',
    section: 'our own: tickets',
    as: 'rrhh',
    request: { operation: LIST, query: '?status=lost' },
    answers: { status: 400, body: about('status') },
  },
  {
    name: 'opens a ticket',
    section: 'our own: tickets',
    as: 'rrhh',
    request: { operation: CREATE, body: ({ location }) => ({ ...printer, location_id: location('Alfa') }) },
    arrange: tidy,
    answers: { status: 201, body: shown({ id: UUID, priority: 'medium' }) },
  },
  {
    name: 'refuses a body without a subject',
    section: 'our own: tickets',
    as: 'rrhh',
    request: { operation: CREATE, body: { priority: 'low' } },
    answers: { status: 400, body: about('subject') },
  },
  {
    name: 'refuses a location of another organization',
    section: 'our own: tickets',
    as: 'rrhh',
    request: { operation: CREATE, body: ({ location }) => ({ ...printer, location_id: location('Este') }) },
    answers: {
      status: 400,
      body: {
        error: 'location_id: not one of your locations',
      },
    },
  },
  {
    name: 'refuses a customer when the role lacks canAccessClientes',
    section: 'our own: tickets',
    as: 'rrhh',
    request: { operation: CREATE, body: { ...printer, customer_id: ID } },
    answers: { status: 403, body: { error: 'Forbidden' } },
  },
  {
    name: 'refuses an unknown customer',
    section: 'our own: tickets',
    as: 'operaciones',
    request: { operation: CREATE, body: { ...printer, customer_id: ID } },
    answers: { status: 400, body: { error: 'customer_id: no such customer' } },
  },
  {
    name: 'gives it',
    section: 'our own: tickets',
    as: 'rrhh',
    request: { operation: `GET ${ONE}`, id: ID },
    arrange: ticket(),
    answers: { status: 200, body: shown() },
  },
  {
    name: 'finds nothing in a location where the person does not work',
    section: 'our own: tickets',
    as: 'bound',
    request: { operation: `GET ${ONE}`, id: ID },
    arrange: ticket('Bravo'),
    answers: { status: 404, body: { error: 'Not found' } },
  },
  {
    name: 'resolves the ticket',
    section: 'our own: tickets',
    as: 'rrhh',
    request: { operation: `PATCH ${ONE}`, id: ID, body: { status: 'resolved' } },
    arrange: ticket(),
    answers: { status: 200, body: shown({ status: 'resolved', resolved_at: ISO }) },
  },
  {
    name: 'assigns the ticket',
    section: 'our own: tickets',
    as: 'rrhh',
    request: { operation: `PATCH ${ONE}`, id: ID, body: ({ id }) => ({ assignee_id: id('admin') }) },
    arrange: ticket(),
    answers: {
      status: 200,
      body: (world) => shown({ assignee_id: world.id('admin'), assignee_name: TEXT })(world),
    },
  },
  {
    name: 'refuses an assignee of another organization',
    section: 'our own: tickets',
    as: 'rrhh',
    request: { operation: `PATCH ${ONE}`, id: ID, body: ({ id }) => ({ assignee_id: id('stranger') }) },
    arrange: ticket(),
    answers: {
      status: 400,
      body: {
        error: 'assignee_id: no such person',
      },
    },
  },
  {
    name: 'deletes it',
    section: 'our own: tickets',
    as: 'admin',
    request: { operation: `DELETE ${ONE}`, id: ID },
    arrange: ticket(),
    answers: { status: 204 },
  },
  {
    name: 'lists its comment',
    section: 'our own: tickets',
    as: 'rrhh',
    request: { operation: COMMENTS, id: ID },
    arrange: commented,
    answers: {
      status: 200,
      body: (world) => ({
        data: [said(COMMENT, 'Lucía Prieto')(world)],
        next_cursor: null,
      }),
    },
  },
  {
    name: 'refuses a limit out of range',
    section: 'our own: tickets',
    as: 'rrhh',
    request: { operation: COMMENTS, id: ID, query: '?limit=0' },
    answers: { status: 400, body: about('limit') },
  },
  {
    name: 'tells what happened to it',
    section: 'our own: tickets',
    as: 'rrhh',
    request: { operation: ACTIVITY, id: ID },
    arrange: all(commented, async ({ stack }) => {
      await stack.sql(`update public.tickets set status = 'waiting' where id = $1`, [ID])
      return undefined
    }),
    answers: {
      status: 200,
      body: {
        data: [
          {
            ...{ kind: 'comment', id: COMMENT, at: ISO, author_name: 'Lucía Prieto' },
            details: { body: 'Viene a las cinco' },
          },
          {
            ...{ kind: 'change', id: UUID, at: ISO, author_name: null },
            details: { field: 'status', before: 'open', after: 'waiting' },
          },
        ],
        next_cursor: null,
      },
    },
  },
  {
    name: 'refuses a limit out of range',
    section: 'our own: tickets',
    as: 'rrhh',
    request: { operation: ACTIVITY, id: ID, query: '?limit=0' },
    answers: { status: 400, body: about('limit') },
  },
  {
    name: 'adds it',
    section: 'our own: tickets',
    as: 'rrhh',
    request: { operation: ADD, id: ID, body: { body: ' Viene a las cinco ' } },
    arrange: ticket(),
    answers: { status: 201, body: (world) => ({ data: said(UUID, TEXT)(world) }) },
  },
  {
    name: 'refuses a blank comment',
    section: 'our own: tickets',
    as: 'rrhh',
    request: { operation: ADD, id: ID, body: { body: ' ' } },
    arrange: ticket(),
    answers: { status: 400, body: about('body') },
  },
]
