import { expect } from 'vitest'
import { tokenOf } from '@/lib/auth/token-session'
import { hashOfSecret } from '@/lib/secret'
import { type Arrange, error, ISO, type Row, UUID } from '../row'
import { afterwards } from './arrange'
import { about } from './cases'

const ID = '20000000-0000-4000-8000-000000000001'
const SECRET = 'Zs0cXvTnLZbK1y2mJ0sV8q3wR5uY7aB9cD1eF3gH5iJ'
const LIST = 'GET /api/tokens'
const CREATE = 'POST /api/tokens'
const REVOKE = 'DELETE /api/tokens/{id}'
const wanted = { name: 'Cuadro de mando', permissions: ['canAccessClientes'], expires_in_days: 30 }

/** A token in use, written down as its maker would. */
const given: Arrange = async ({ group, stack }) => {
  const remove = () =>
    stack.sql('delete from auth.users where id in (select user_id from private.api_tokens where id = $1)', [
      ID,
    ])
  await remove()
  await stack.sql(
    `insert into private.api_tokens (id, organization_id, name, token_hash, account_hash, permissions, created_by, expires_at)
     values ($1, $2, 'Cuadro de mando', $3, encode(sha256('proof'), 'hex'), '{canAccessClientes}', 'Lola', now() + interval '30 days')`,
    [ID, group.id, hashOfSecret(SECRET)],
  )
  await stack.sql(
    `insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
     values (gen_random_uuid(), 'token-${ID}@machines.invalid', now(), '{"machine_token": "proof"}')`,
  )
  return remove
}
const tidy = afterwards(
  "delete from auth.users where id in (select user_id from private.api_tokens where name = 'Cuadro de mando')",
)

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const row = {
  id: UUID,
  name: 'Cuadro de mando',
  prefix: expect.stringMatching(/^sbm_[0-9a-f]{8}$/),
  permissions: ['canAccessClientes'],
  location_ids: [],
  created_by: expect.any(String),
  created_at: ISO,
  expires_at: ISO,
  last_used_at: null,
  revoked_at: null,
}

/** The tokens of programs, and what is refused to them. */
export const tokenRows: Row[] = [
  {
    name: 'lists none when there are none',
    section: 'our own: API tokens',
    as: 'admin',
    request: { operation: LIST },
    answers: { status: 200, body: { data: [], next_cursor: null } },
  },
  {
    name: 'lists the token in use',
    section: 'our own: API tokens',
    as: 'admin',
    request: { operation: LIST },
    arrange: given,
    answers: { status: 200, body: { data: [row], next_cursor: null } },
  },
  {
    name: 'refuses a limit out of range',
    section: 'our own: API tokens',
    as: 'admin',
    request: { operation: LIST, query: '?limit=0' },
    answers: { status: 400, body: about('limit') },
  },
  {
    name: 'creates a token',
    section: 'our own: API tokens',
    as: 'admin',
    request: { operation: CREATE, body: wanted },
    arrange: tidy,
    answers: {
      status: 201,
      body: { data: { ...row, token: expect.stringMatching(/^sbm_[0-9a-f-]{36}_[\w-]{43}$/) } },
    },
  },
  {
    name: 'refuses a token without permissions',
    section: 'our own: API tokens',
    as: 'admin',
    request: { operation: CREATE, body: { ...wanted, permissions: [] } },
    answers: { status: 400, body: about('permissions') },
  },
  {
    name: 'refuses a token that manages the team',
    section: 'our own: API tokens',
    as: 'admin',
    request: { operation: CREATE, body: { ...wanted, permissions: ['canManageTeam'] } },
    answers: { status: 400, body: about('permissions.0') },
  },
  {
    name: 'refuses a token for more than a year',
    section: 'our own: API tokens',
    as: 'admin',
    request: { operation: CREATE, body: { ...wanted, expires_in_days: 366 } },
    answers: { status: 400, body: about('expires_in_days') },
  },
  {
    name: 'refuses a location of another organization',
    section: 'our own: API tokens',
    as: 'admin',
    request: { operation: CREATE, body: ({ location }) => ({ ...wanted, location_ids: [location('Este')] }) },
    answers: { status: 400, body: error('location_ids: unknown location') },
  },
  {
    name: 'revokes the token',
    section: 'our own: API tokens',
    as: 'admin',
    request: { operation: REVOKE, id: ID },
    arrange: given,
    answers: { status: 204 },
  },
  {
    name: 'refuses a malformed token',
    section: 'our own: API tokens',
    as: 'visitor',
    request: { operation: 'GET /api/customers', headers: bearer('sbm_x') },
    answers: { status: 401, body: error('Unauthorized') },
  },
  {
    name: 'refuses a wrong secret',
    section: 'our own: API tokens',
    as: 'visitor',
    request: { operation: 'GET /api/customers', headers: bearer(tokenOf(ID, 'A'.repeat(43))) },
    arrange: given,
    answers: { status: 401, body: error('Unauthorized') },
  },
  {
    name: 'refuses a token where only people may ask',
    section: 'our own: API tokens',
    as: 'visitor',
    request: { operation: LIST, headers: bearer(tokenOf(ID, SECRET)) },
    arrange: given,
    answers: { status: 403, body: error('Forbidden') },
  },
]
