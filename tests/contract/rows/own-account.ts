import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { CHOSEN, PASSWORD } from '../../factories/group'
import { type Arrange, error, ISO, type Row, UUID } from '../row'
import { about } from './cases'

const LIST = 'GET /api/auth/sessions'
const END = 'POST /api/auth/sessions/end'
const PASSWORDS = 'POST /api/auth/password'

/** The person's own network has had the failures of this minute. */
const guessed: Arrange = async ({ stack, email }) => {
  const hash = createHash('sha256').update(email('pr_comunicacion')).digest('hex')
  const set = (hits: number) =>
    stack.sql(
      `update public.attempt_limits set hits = $1, window_start = now() where account = $2 and key like '%:pair:%'`,
      [hits, hash],
    )
  await set(10)
  return () => set(0)
}

/** One's own sessions and password. */
export const ownAccountRows: Row[] = [
  {
    name: 'lists the current session',
    section: 'our own: sessions',
    as: 'pr_comunicacion',
    request: { operation: LIST },
    answers: {
      status: 200,
      body: {
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
      },
    },
  },
  {
    name: 'ends the other sessions',
    section: 'our own: sessions',
    as: 'pr_comunicacion',
    request: { operation: END, body: { which: 'others' } },
    answers: { status: 200, body: { success: true } },
  },
  {
    name: 'refuses an unknown choice of sessions',
    section: 'our own: sessions',
    as: 'pr_comunicacion',
    request: { operation: END, body: { which: 'some' } },
    answers: { status: 400, body: about('which') },
  },
  {
    name: 'refuses a wrong current password',
    section: 'our own: a new password ends sessions',
    as: 'pr_comunicacion',
    request: { operation: PASSWORDS, body: { current_password: 'not-the-password', password: CHOSEN } },
    answers: { status: 400, body: error('current_password: not the current one') },
  },
  {
    name: 'refuses a short new password',
    section: 'our own: a new password ends sessions',
    as: 'pr_comunicacion',
    request: { operation: PASSWORDS, body: { current_password: PASSWORD, password: 'corta' } },
    answers: { status: 400, body: error('password: at least 10 characters') },
  },
  {
    name: 'refuses a new password that is easy to guess',
    section: 'our own: a new password ends sessions',
    as: 'pr_comunicacion',
    request: { operation: PASSWORDS, body: { current_password: PASSWORD, password: 'contraseña2026' } },
    answers: { status: 400, body: error('password: too weak') },
  },
  {
    name: 'changes the password',
    section: 'our own: a new password ends sessions',
    as: 'pr_comunicacion',
    request: { operation: PASSWORDS, body: { current_password: PASSWORD, password: CHOSEN } },
    answers: { status: 200, body: { success: true } },
  },
  {
    name: 'refuses a password that is published',
    section: 'our own: a new password ends sessions',
    as: 'pr_comunicacion',
    request: { operation: PASSWORDS, body: { current_password: CHOSEN, password: PASSWORD } },
    answers: { status: 400, body: error('password: too weak') },
  },
  {
    name: 'refuses a network that failed ten times',
    section: 'our own: a new password ends sessions',
    as: 'pr_comunicacion',
    request: { operation: PASSWORDS, body: { current_password: PASSWORD, password: CHOSEN } },
    arrange: guessed,
    answers: { status: 429, body: error('Rate limit exceeded') },
  },
  {
    name: 'refuses a page of another site',
    section: 'our own: a new password ends sessions',
    as: 'pr_comunicacion',
    request: {
      operation: PASSWORDS,
      body: { current_password: PASSWORD, password: CHOSEN },
      headers: { origin: 'https://evil.example' },
    },
    answers: { status: 403, body: error('Forbidden') },
  },
]
