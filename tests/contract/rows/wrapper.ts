import { createHash } from 'node:crypto'
import { ticketPaths } from '@/lib/tickets/operations'
import { type Arrange, error, type Row, TEXT } from '../row'
import { given } from './arrange'
import { about } from './cases'
import { existing, ID } from './customers'

const CUSTOMER = '/api/customers/{id}'
const BRAND_ID = 'b0000000-0000-4000-8000-000000000007'
const brand = given('brands', () => ({ id: BRAND_ID, name: 'Casa Marco', slug: 'casa-marco' }))

const TICKET = { subject: 'Contrato: con clave' }
const POST_TICKET = 'POST /api/tickets'
const KEY = 'contrato'
const FIRST = ticketPaths['/api/tickets'].post.responses[201].example
/** A ticket asked for with the key: under way without an answer, else answered. */
const asked =
  (body: object, answer: object | null): Arrange =>
  async ({ stack, group, id }) => {
    await stack.sql(
      `insert into private.kept_answers (caller_id, path, key, organization_id, body_hash, holder, role, location_ids,
         held_until, status, answer)
       values ($1, '/api/tickets', $2, $3, $4, gen_random_uuid(), 'rrhh', '{}', now() + interval '1 hour', $5, $6)`,
      [
        id('rrhh'),
        KEY,
        group.id,
        sha256(JSON.stringify(body)),
        answer && 201,
        answer && JSON.stringify(answer),
      ],
    )
    return () => stack.sql('delete from private.kept_answers')
  }
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const keyed = (key = KEY): Row['request'] => ({
  operation: POST_TICKET,
  body: TICKET,
  headers: { 'Idempotency-Key': key },
})

const refused = (
  name: string,
  as: Row['as'],
  request: Row['request'],
  status: number,
  text: unknown,
): Row => ({
  name,
  section: 'our own: what the wrapper of every operation refuses',
  as,
  request,
  answers: { status, body: error(text) },
})

/**
 * One refusal of each kind, for operations with a session: tests/security/roles.test.ts asks every operation in its own
 * process, and these show that the built app's handlers are wrapped the same way.
 */
export const wrapperRows: Row[] = [
  refused(
    'refuses a caller without a session',
    'visitor',
    { operation: `GET ${CUSTOMER}` },
    401,
    'Unauthorized',
  ),
  refused(
    'refuses a caller without a session',
    'visitor',
    { operation: `DELETE ${CUSTOMER}` },
    401,
    'Unauthorized',
  ),
  refused(
    'refuses a caller without a session',
    'visitor',
    { operation: 'POST /api/account/second-factor' },
    401,
    'Unauthorized',
  ),
  refused(
    'refuses a role without the permission',
    'rrhh',
    { operation: `PATCH ${CUSTOMER}` },
    403,
    'Forbidden',
  ),
  refused('refuses a role', 'marketing', { operation: `GET ${CUSTOMER}/export` }, 403, 'Forbidden'),
  refused(
    'finds nothing under an unknown id',
    'operaciones',
    { operation: `GET ${CUSTOMER}` },
    404,
    'Not found',
  ),
  refused(
    'finds no session under an unknown id',
    'pr_comunicacion',
    { operation: 'DELETE /api/auth/sessions/{id}' },
    404,
    'Not found',
  ),
  {
    ...refused(
      'finds nothing of another organization',
      'stranger',
      { operation: `PATCH ${CUSTOMER}`, id: ID, body: { notes: 'x' } },
      404,
      'Not found',
    ),
    arrange: existing,
  },
  {
    ...refused(
      'finds nothing of another organization',
      'stranger',
      { operation: 'DELETE /api/brands/{id}', id: BRAND_ID },
      404,
      'Not found',
    ),
    arrange: brand,
  },
  {
    name: 'refuses a malformed id',
    section: 'our own: what the wrapper of every operation refuses',
    as: 'operaciones',
    request: { operation: `DELETE ${CUSTOMER}`, id: 'x' },
    answers: { status: 400, body: about('id') },
  },
  {
    name: 'refuses a key of 256 characters',
    section: 'our own: Idempotency-Key',
    as: 'rrhh',
    request: keyed('x'.repeat(256)),
    answers: { status: 400, body: about('Idempotency-Key') },
  },
  {
    name: 'refuses a key whose first request is under way',
    section: 'our own: Idempotency-Key',
    as: 'rrhh',
    request: keyed(),
    arrange: asked(TICKET, null),
    answers: { status: 409, headers: { 'x-error-code': 'IN_PROGRESS' }, body: error(TEXT) },
  },
  {
    name: 'refuses a key that was sent with another body',
    section: 'our own: Idempotency-Key',
    as: 'rrhh',
    request: keyed(),
    arrange: asked({ subject: 'Otra' }, { data: {} }),
    answers: { status: 422, headers: { 'x-error-code': 'IDEMPOTENCY_MISMATCH' }, body: error(TEXT) },
  },
  {
    name: 'gives the first answer again',
    section: 'our own: Idempotency-Key',
    as: 'rrhh',
    request: keyed(),
    arrange: asked(TICKET, FIRST),
    answers: {
      status: 201,
      headers: { 'idempotency-replayed': 'true' },
      body: FIRST,
    },
  },
]
