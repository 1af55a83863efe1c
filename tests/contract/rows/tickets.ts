import { COUNT, ISO, type Row, TEXT, UUID } from '../row'
import type { World } from '../world'
import { afterwards, all, given } from './arrange'
import { about, byId, cases, notFor, signedOut } from './cases'

const ID = 'f0000000-0000-4000-8000-000000000001'
const COMMENT = 'f0000000-0000-4000-8000-000000000002'
const LIST = 'GET /api/tickets'
const CREATE = 'POST /api/tickets'
const ONE = '/api/tickets/{id}'
const COMMENTS = `GET ${ONE}/comments`
const ADD = `POST ${ONE}/comments`
const BY_ID = [`GET ${ONE}`, `PATCH ${ONE}`, COMMENTS, ADD]

const printer = { subject: 'Contrato: no imprime', description: 'La de cocina' }
const ticket = (place = 'Alfa') =>
  given('tickets', ({ location, id }) => ({
    id: ID,
    ...printer,
    priority: 'high',
    location_id: location(place),
    requester_id: id('rrhh'),
    // Nobody is written to about it.
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

const tickets = cases('decisions §8: tickets', 'rrhh')

/** Tickets and their comments. */
export const ticketRows: Row[] = [
  ...signedOut([LIST, CREATE, ...BY_ID, `DELETE ${ONE}`]),
  ...notFor('rrhh', 'canViewSettings', [`DELETE ${ONE}`]),
  ...byId(BY_ID, {
    as: 'rrhh',
    id: ID,
    given: ticket(),
    json: { [`PATCH ${ONE}`]: { status: 'closed' }, [ADD]: { body: 'x' } },
  }),
  ...byId([`DELETE ${ONE}`], { as: 'admin', id: ID, given: ticket() }),
  tickets('one matches', LIST, 200, (world) => ({ data: [shown()(world).data], next_cursor: null }), {
    query: '?status=open&priority=high&search=contrato',
    arrange: ticket(),
  }),
  tickets(
    'it is in none of the caller’s locations',
    LIST,
    200,
    { data: [], next_cursor: null },
    {
      as: 'bound',
      query: '?search=contrato',
      arrange: ticket('Bravo'),
    },
  ),
  tickets('the status is unknown', LIST, 400, about('status'), { query: '?status=lost' }),
  tickets('it is opened', CREATE, 201, shown({ id: UUID, priority: 'medium' }), {
    json: ({ location }) => ({ ...printer, location_id: location('Alfa') }),
    arrange: tidy,
  }),
  tickets('the subject is missing', CREATE, 400, about('subject'), { json: { priority: 'low' } }),
  tickets(
    'the location is another organization’s',
    CREATE,
    400,
    {
      error: 'location_id: not one of your locations',
    },
    { json: ({ location }) => ({ ...printer, location_id: location('Este') }) },
  ),
  tickets(
    'a customer is set without canAccessClientes',
    CREATE,
    403,
    { error: 'Forbidden' },
    {
      json: { ...printer, customer_id: ID },
    },
  ),
  tickets(
    'the customer is unknown',
    CREATE,
    400,
    { error: 'customer_id: no such customer' },
    {
      as: 'operaciones',
      json: { ...printer, customer_id: ID },
    },
  ),
  tickets('it is there', `GET ${ONE}`, 200, shown(), { id: ID, arrange: ticket() }),
  tickets(
    'it is in none of the caller’s locations',
    `GET ${ONE}`,
    404,
    { error: 'Not found' },
    {
      as: 'bound',
      id: ID,
      arrange: ticket('Bravo'),
    },
  ),
  tickets('it is resolved', `PATCH ${ONE}`, 200, shown({ status: 'resolved', resolved_at: ISO }), {
    id: ID,
    json: { status: 'resolved' },
    arrange: ticket(),
  }),
  tickets(
    'it is assigned',
    `PATCH ${ONE}`,
    200,
    (world) => shown({ assignee_id: world.id('admin'), assignee_name: TEXT })(world),
    {
      id: ID,
      json: ({ id }) => ({ assignee_id: id('admin') }),
      arrange: ticket(),
    },
  ),
  tickets(
    'the assignee is another organization’s',
    `PATCH ${ONE}`,
    400,
    {
      error: 'assignee_id: no such person',
    },
    { id: ID, json: ({ id }) => ({ assignee_id: id('stranger') }), arrange: ticket() },
  ),
  tickets('it is deleted', `DELETE ${ONE}`, 204, undefined, { as: 'admin', id: ID, arrange: ticket() }),
  tickets(
    'it has one',
    COMMENTS,
    200,
    (world) => ({
      data: [said(COMMENT, 'Lucía Prieto')(world)],
      next_cursor: null,
    }),
    { id: ID, arrange: commented },
  ),
  tickets('the limit is out of range', COMMENTS, 400, about('limit'), { id: ID, query: '?limit=0' }),
  tickets('it is added', ADD, 201, (world) => ({ data: said(UUID, TEXT)(world) }), {
    id: ID,
    json: { body: ' Viene a las cinco ' },
    arrange: ticket(),
  }),
  tickets('it is blank', ADD, 400, about('body'), { id: ID, json: { body: ' ' }, arrange: ticket() }),
]
