import { expect } from 'vitest'
import { hashOfSecret, tokenOf } from '@/lib/tokens/token'
import { error, ISO, type Row, UUID } from '../row'
import { afterwards } from './arrange'
import { about, byId, cases, notFor, signedOut } from './cases'

const ID = '20000000-0000-4000-8000-000000000001'
const SECRET = 'Zs0cXvTnLZbK1y2mJ0sV8q3wR5uY7aB9cD1eF3gH5iJ'
const LIST = 'GET /api/tokens'
const CREATE = 'POST /api/tokens'
const REVOKE = 'DELETE /api/tokens/{id}'
const ALL = [LIST, CREATE, REVOKE]
const wanted = { name: 'Cuadro de mando', permissions: ['canAccessClientes'], expires_in_days: 30 }

/** A token in use, written down as its maker would. */
const given: Row['arrange'] = async ({ group, stack }) => {
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

const tokens = cases('decisions §10: API tokens', 'admin')
const program = cases('decisions §10: API tokens', 'nobody')
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
  ...signedOut(ALL),
  ...notFor('ceo', 'canManageTeam', ALL),
  ...byId([REVOKE], { as: 'admin', id: ID, given }),
  tokens('there are none', LIST, 200, { data: [], next_cursor: null }),
  tokens('one is in use', LIST, 200, { data: [row], next_cursor: null }, { arrange: given }),
  tokens('the limit is out of range', LIST, 400, about('limit'), { query: '?limit=0' }),
  tokens(
    'a program needs one',
    CREATE,
    201,
    { data: { ...row, token: expect.stringMatching(/^sbm_[0-9a-f-]{36}_[\w-]{43}$/) } },
    { json: wanted, arrange: tidy },
  ),
  tokens('it has no permission', CREATE, 400, about('permissions'), { json: { ...wanted, permissions: [] } }),
  tokens('it is to manage the team', CREATE, 400, about('permissions.0'), {
    json: { ...wanted, permissions: ['canManageTeam'] },
  }),
  tokens('it is to last for more than a year', CREATE, 400, about('expires_in_days'), {
    json: { ...wanted, expires_in_days: 366 },
  }),
  tokens('the location is another organization’s', CREATE, 400, error('location_ids: unknown location'), {
    json: ({ location }) => ({ ...wanted, location_ids: [location('Este')] }),
  }),
  tokens('it is in use', REVOKE, 204, undefined, { id: ID, arrange: given }),
  program('the token is malformed', 'GET /api/customers', 401, error('Unauthorized'), {
    sent: bearer('sbm_x'),
  }),
  program('the secret is wrong', 'GET /api/customers', 401, error('Unauthorized'), {
    sent: bearer(tokenOf(ID, 'A'.repeat(43))),
    arrange: given,
  }),
  program('the operation is for people', LIST, 403, error('Forbidden'), {
    sent: bearer(tokenOf(ID, SECRET)),
    arrange: given,
  }),
]
