import { error, type Row } from '../row'
import { given } from './arrange'
import { about } from './cases'
import { existing, ID } from './customers'

const CUSTOMER = '/api/customers/{id}'
const BRAND_ID = 'b0000000-0000-4000-8000-000000000007'
const brand = given('brands', () => ({ id: BRAND_ID, name: 'Casa Marco', slug: 'casa-marco' }))

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
]
