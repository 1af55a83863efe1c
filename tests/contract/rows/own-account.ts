import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { PASSWORD } from '../../factories/group'
import { error, ISO, type Row, UUID } from '../row'
import { about, byId, cases, signedOut } from './cases'

const LIST = 'GET /api/auth/sessions'
const END_ONE = 'DELETE /api/auth/sessions/{id}'
const END = 'POST /api/auth/sessions/end'
const PASSWORDS = 'POST /api/auth/password'
const NEW_PASSWORD = 'lluvia tejado once gato'

/** The person's own network has had the failures of this minute. */
const guessed: Row['arrange'] = async ({ stack, email }) => {
  const hash = createHash('sha256').update(email('pr_comunicacion')).digest('hex')
  const set = (hits: number) =>
    stack.sql(
      `update public.attempt_limits set hits = $1, window_start = now() where account = $2 and key like '%:pair:%'`,
      [hits, hash],
    )
  await set(10)
  return () => set(0)
}

const account = cases('decisions §10: sessions', 'pr_comunicacion')
const another = cases('decisions §10: a new password ends sessions', 'pr_comunicacion')

/** One's own sessions and password. */
export const ownAccountRows: Row[] = [
  ...signedOut([LIST, END_ONE, END, PASSWORDS]),
  account('one is signed in', LIST, 200, {
    data: expect.arrayContaining([
      {
        id: UUID,
        current: true,
        browser: null,
        system: null,
        network: expect.anything(),
        place: null,
        created_at: ISO,
        last_seen_at: ISO,
        ends_at: ISO,
      },
    ]),
  }),
  ...byId([END_ONE], { as: 'pr_comunicacion', id: '10000000-0000-4000-8000-000000000001' }),
  account('the others end', END, 200, { success: true }, { json: { which: 'others' } }),
  account('it is unknown which', END, 400, about('which'), { json: { which: 'some' } }),
  another('the current one is wrong', PASSWORDS, 400, error('current_password: not the current one'), {
    json: { current_password: 'not-the-password', password: NEW_PASSWORD },
  }),
  another('the new one is short', PASSWORDS, 400, error('password: at least 10 characters'), {
    json: { current_password: PASSWORD, password: 'corta' },
  }),
  another('the new one is easy to guess', PASSWORDS, 400, error('password: too weak'), {
    json: { current_password: PASSWORD, password: 'contraseña2026' },
  }),
  another(
    'the current one is right',
    PASSWORDS,
    200,
    { success: true },
    {
      json: { current_password: PASSWORD, password: NEW_PASSWORD },
    },
  ),
  another(
    'it changes back',
    PASSWORDS,
    200,
    { success: true },
    {
      json: { current_password: NEW_PASSWORD, password: PASSWORD },
    },
  ),
  another('the network has failed ten times', PASSWORDS, 429, error('Rate limit exceeded'), {
    json: { current_password: PASSWORD, password: NEW_PASSWORD },
    arrange: guessed,
  }),
  another('another site’s page sends it', PASSWORDS, 403, error('Forbidden'), {
    json: { current_password: PASSWORD, password: NEW_PASSWORD },
    sent: { origin: 'https://evil.example' },
  }),
]
