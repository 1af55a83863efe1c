import { expect } from 'vitest'
import { CHOSEN, PASSWORD } from '../../factories/group'
import { type Arrange, error, type Row, UUID, unexpected } from '../row'
import { all, unlimited } from './arrange'
import { about } from './cases'
import { EMAIL, hire, INVITATION_TOKEN, invited, passing, tidy } from './team'

const INVITATION = 'POST /api/auth/invitation'
const SIGN_UP = 'POST /api/auth/sign-up'
const SIGN_IN = 'POST /api/auth/sign-in'
const FORGOT = 'POST /api/auth/forgot-password'
const RESET = 'POST /api/auth/reset-password'
const NO_INVITATION = 'El enlace de invitación no vale para estos datos'

/** Auth fails for everyone, and the rest of the database works. */
const authDown: Arrange = async ({ stack }) => {
  await stack.sql('alter schema auth rename to auth_gone')
  return () => stack.sql('alter schema auth_gone rename to auth')
}

const TOKEN = 'c0ffee00c0ffee00c0ffee00'
/** The one who is passing has had a mail with the token. */
const forgotten: Arrange = async ({ stack }) => {
  await stack.sql('update auth.users set recovery_token = $1, recovery_sent_at = now() where id = $2', [
    TOKEN,
    passing.id,
  ])
  if (stack.kind === 'postgres') {
    await stack.sql(
      `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
       values (gen_random_uuid(), $2, 'recovery_token', $1, '')`,
      [TOKEN, passing.id],
    )
  }
  return undefined
}

const lola = { email: EMAIL, password: CHOSEN, full_name: 'Lola Marín', token: INVITATION_TOKEN }

/** Joining by an invitation, signing in, and a forgotten password. */
export const joiningRows: Row[] = [
  {
    name: 'tells whom an invitation is for',
    section: 'our own: joining',
    as: 'visitor',
    request: { operation: INVITATION, body: { token: INVITATION_TOKEN } },
    arrange: all(unlimited, invited),
    answers: {
      status: 200,
      body: { data: { email: EMAIL, full_name: null, organization: expect.any(String) } },
    },
  },
  {
    name: 'knows no invitation of another token',
    section: 'our own: joining',
    as: 'visitor',
    request: { operation: INVITATION, body: { token: INVITATION_TOKEN.toUpperCase() } },
    arrange: all(unlimited, invited),
    answers: { status: 403, body: error(NO_INVITATION) },
  },
  {
    name: 'refuses a body without the token',
    section: 'our own: joining',
    as: 'visitor',
    request: { operation: INVITATION, body: {} },
    arrange: unlimited,
    answers: { status: 400, body: about('token') },
  },
  {
    name: 'signs up an invited e-mail',
    section: 'our own: joining',
    as: 'visitor',
    request: { operation: SIGN_UP, body: lola },
    arrange: all(unlimited, tidy, invited),
    answers: {
      status: 201,
      headers: { 'set-cookie': 'auth-token' },
      body: {
        success: true,
        user: { id: UUID, email: EMAIL, role: 'operaciones' },
      },
    },
  },
  {
    name: 'refuses a body without the token',
    section: 'our own: joining',
    as: 'visitor',
    request: { operation: SIGN_UP, body: { ...lola, token: undefined } },
    arrange: all(unlimited, invited),
    answers: { status: 403, body: error(NO_INVITATION) },
  },
  {
    name: 'refuses another token',
    section: 'our own: joining',
    as: 'visitor',
    request: { operation: SIGN_UP, body: { ...lola, token: INVITATION_TOKEN.toUpperCase() } },
    arrange: all(unlimited, invited),
    answers: { status: 403, body: error(NO_INVITATION) },
  },
  {
    name: 'refuses an e-mail without an invitation',
    section: 'our own: joining',
    as: 'visitor',
    request: { operation: SIGN_UP, body: lola },
    arrange: unlimited,
    answers: { status: 403, body: error(NO_INVITATION) },
  },
  {
    name: 'refuses an e-mail with an account',
    section: 'our own: joining',
    as: 'visitor',
    request: { operation: SIGN_UP, body: ({ email }) => ({ ...lola, email: email('rrhh') }) },
    arrange: unlimited,
    answers: { status: 403, body: error(NO_INVITATION) },
  },
  {
    name: 'refuses a short password',
    section: 'our own: joining',
    as: 'visitor',
    request: { operation: SIGN_UP, body: { ...lola, password: 'corta' } },
    arrange: all(unlimited, invited),
    answers: { status: 400, body: error('password: at least 10 characters') },
  },
  {
    name: 'fails when the database does not answer',
    section: 'our own: joining',
    as: 'visitor',
    request: { operation: SIGN_UP, body: lola },
    databaseDown: true,
    answers: { status: 500, body: unexpected },
  },
  {
    name: 'refuses a body without a password',
    section: 'our own: sign-in',
    as: 'visitor',
    request: { operation: SIGN_IN, body: { email: EMAIL } },
    answers: { status: 400, body: about('password') },
  },
  {
    name: 'is not available when Auth does not answer',
    section: 'our own: joining',
    as: 'visitor',
    request: { operation: SIGN_UP, body: lola },
    arrange: all(unlimited, invited, authDown),
    answers: { status: 503, body: error('Sign-up is not available') },
  },
  {
    name: 'gives the same answer for an unknown e-mail',
    section: 'our own: a forgotten password',
    as: 'visitor',
    request: { operation: FORGOT, body: { email: EMAIL } },
    answers: { status: 200, body: { success: true } },
  },
  {
    name: 'gives the same answer for a known e-mail',
    section: 'our own: a forgotten password',
    as: 'visitor',
    request: { operation: FORGOT, body: ({ email }) => ({ email: email('rrhh') }) },
    answers: { status: 200, body: { success: true } },
  },
  {
    name: 'refuses a malformed e-mail',
    section: 'our own: a forgotten password',
    as: 'visitor',
    request: { operation: FORGOT, body: { email: 'lola' } },
    answers: { status: 400, body: about('email') },
  },
  {
    name: 'refuses a page of another site',
    section: 'our own: a forgotten password',
    as: 'visitor',
    request: { operation: FORGOT, body: { email: EMAIL }, headers: { origin: 'https://evil.example' } },
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'sets the password by the mailed link',
    section: 'our own: a forgotten password',
    as: 'visitor',
    request: { operation: RESET, body: { token_hash: TOKEN, password: CHOSEN } },
    arrange: all(unlimited, hire, forgotten),
    answers: { status: 200, body: { success: true } },
  },
  {
    name: 'refuses a spent link',
    section: 'our own: a forgotten password',
    as: 'visitor',
    request: { operation: RESET, body: { token_hash: TOKEN, password: CHOSEN } },
    arrange: unlimited,
    answers: { status: 403, body: error('El enlace ya no vale: pide otro') },
  },
  {
    name: 'refuses a short password',
    section: 'our own: a forgotten password',
    as: 'visitor',
    request: { operation: RESET, body: { token_hash: TOKEN, password: 'corta' } },
    arrange: unlimited,
    answers: { status: 400, body: error('password: at least 10 characters') },
  },
  {
    name: 'is not available when Auth does not answer',
    section: 'our own: a forgotten password',
    as: 'visitor',
    request: { operation: RESET, body: { token_hash: TOKEN, password: CHOSEN } },
    arrange: all(unlimited, authDown),
    answers: { status: 503, body: error('Password reset is not available') },
  },
  {
    name: 'is not available when Auth does not answer',
    section: 'our own: sign-in',
    as: 'visitor',
    request: { operation: SIGN_IN, body: { email: EMAIL, password: PASSWORD } },
    arrange: all(unlimited, authDown),
    answers: { status: 503, body: error('Sign-in is not available') },
  },
  {
    name: 'fails when the database does not answer',
    section: 'our own: unexpected errors',
    as: 'visitor',
    request: { operation: SIGN_IN, body: { email: EMAIL, password: PASSWORD } },
    databaseDown: true,
    answers: { status: 500, body: unexpected },
  },
]
