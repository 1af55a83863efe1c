import { expect } from 'vitest'
import { ROLES } from '@/lib/auth/permissions'
import { hashOfToken } from '@/lib/team/invitation-token'
import { PASSWORD } from '../../factories/group'
import { type Asker, error, ISO, type Row, UUID, unexpected } from '../row'
import type { World } from '../world'
import { afterwards, all, given, unlimited } from './arrange'
import { about, byId, cases, notFor, signedOut } from './cases'

const ID = '10000000-0000-4000-8000-000000000001'
const EMAIL = 'lola@contrato.example'
const MEMBER = '/api/team/{id}'
const INVITE = 'POST /api/team/invitations'
const INVITATIONS = 'GET /api/team/invitations'
const WITHDRAW = 'DELETE /api/team/invitations/{id}'
const RENEW = 'POST /api/team/invitations/{id}/link'
const SIGN_UP = 'POST /api/auth/sign-up'
const SIGN_IN = 'POST /api/auth/sign-in'
const FORGOT = 'POST /api/auth/forgot-password'
const RESET = 'POST /api/auth/reset-password'
const CHANGES = [`PATCH ${MEMBER}`, `DELETE ${MEMBER}`]
const END_SESSIONS = `POST ${MEMBER}/end-sessions`
const ALL = ['GET /api/team', ...CHANGES, END_SESSIONS, INVITATIONS, INVITE, WITHDRAW, RENEW]
const OWN = { error: 'You cannot change your own role or locations, nor remove yourself' }
const NO_INVITATION = 'El enlace de invitación no vale para estos datos'

const member =
  (as: Asker, changes: object = {}) =>
  ({ id, email, location }: World) => ({
    id: id(as),
    email: email(as),
    full_name: null,
    role: as === 'bound' ? 'operaciones' : as,
    all_locations: as !== 'bound',
    location_ids: as === 'bound' ? [location('Alfa')] : [],
    created_at: ISO,
    ...changes,
  })
const invitation = (changes: object = {}) => ({
  id: ID,
  email: EMAIL,
  full_name: null,
  role: 'operaciones',
  location_ids: [],
  expires_at: ISO,
  created_at: ISO,
  ...changes,
})
const link = {
  token: expect.stringMatching(/^[\w-]{43}$/),
  url: expect.stringMatching(/^https?:\/\/[^/]+\/sign-up#token=[\w-]{43}$/),
  mail: expect.stringMatching(/^[a-z_]+$/),
}
const INVITATION_TOKEN = 'c0ffee00-c0ffee00-c0ffee00-c0ffee00-c0ffee0'
const invited = given('invitations', () => ({
  id: ID,
  email: EMAIL,
  role: 'operaciones',
  token_hash: hashOfToken(INVITATION_TOKEN),
  expires_at: new Date(Date.now() + 86_400_000).toISOString(),
}))
const tidy = all(
  afterwards(`delete from auth.users where email = '${EMAIL}'`),
  afterwards(`delete from public.invitations where email = '${EMAIL}'`),
)
const nameless = afterwards('update public.profiles set full_name = null')

/** Auth fails for everyone, and the rest of the database works. */
const authDown: Row['arrange'] = async ({ stack }) => {
  await stack.sql('alter schema auth rename to auth_gone')
  return () => stack.sql('alter schema auth_gone rename to auth')
}

const TOKEN = 'c0ffee00c0ffee00c0ffee00'
/** The one who is passing has had a mail with the token. */
const forgotten: Row['arrange'] = async ({ stack }) => {
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

/** Someone who is only there for a row. */
const passing = { id: '' }
const hire: Row['arrange'] = async ({ group, stack }) => {
  passing.id = (await group.person('marketing')).id
  return () => stack.sql('delete from auth.users where id = $1', [passing.id])
}

const team = cases('decisions §8: team', 'admin')
const signUp = cases('decisions §2: joining', 'nobody')
const password = cases('decisions §2: a forgotten password', 'nobody')
const lola = { email: EMAIL, password: PASSWORD, full_name: 'Lola Marín', token: INVITATION_TOKEN }

/** The team, its invitations, and joining by one. */
export const teamRows: Row[] = [
  ...signedOut(ALL),
  ...notFor('ceo', 'canManageTeam', ALL),
  ...byId(CHANGES, {
    as: 'admin',
    id: ({ id }) => id('rrhh'),
    json: { [`PATCH ${MEMBER}`]: { full_name: 'Lola' } },
  }),
  ...byId([END_SESSIONS], { as: 'admin', id: ({ id }) => id('rrhh') }),
  team('someone is signed out everywhere', END_SESSIONS, 204, undefined, {
    id: () => passing.id,
    arrange: hire,
  }),
  team('an admin signs a super_admin out', END_SESSIONS, 403, error('Forbidden'), {
    id: ({ id }) => id('super_admin'),
  }),
  ...byId([WITHDRAW, RENEW], { as: 'admin', id: ID, given: invited }),
  team('some are bound to a location', 'GET /api/team', 200, (world) => ({
    data: [...ROLES, 'bound' as const].map((as) => member(as)(world)),
    next_cursor: null,
  })),
  team('the limit is out of range', 'GET /api/team', 400, about('limit'), { query: '?limit=0' }),
  team(
    'a name changes',
    `PATCH ${MEMBER}`,
    200,
    (world) => ({
      data: member('rrhh', { full_name: 'Lola Marín' })(world),
    }),
    { id: ({ id }) => id('rrhh'), json: { full_name: 'Lola Marín' }, arrange: nameless },
  ),
  team('the role is unknown', `PATCH ${MEMBER}`, 400, about('role'), {
    id: ({ id }) => id('rrhh'),
    json: { role: 'cook' },
  }),
  team(
    'the location is another organization’s',
    `PATCH ${MEMBER}`,
    400,
    {
      error: 'location_ids: unknown location',
    },
    { id: ({ id }) => id('rrhh'), json: ({ location }) => ({ location_ids: [location('Este')] }) },
  ),
  team('an admin changes a super_admin', `PATCH ${MEMBER}`, 403, error('Forbidden'), {
    id: ({ id }) => id('super_admin'),
    json: { role: 'rrhh' },
  }),
  team('it is one’s own role', `PATCH ${MEMBER}`, 409, OWN, {
    id: ({ id }) => id('admin'),
    json: { role: 'super_admin' },
  }),
  team('someone is removed', `DELETE ${MEMBER}`, 204, undefined, { id: () => passing.id, arrange: hire }),
  team('an admin removes a super_admin', `DELETE ${MEMBER}`, 403, error('Forbidden'), {
    id: ({ id }) => id('super_admin'),
  }),
  team('it is oneself', `DELETE ${MEMBER}`, 409, OWN, { id: ({ id }) => id('admin') }),
  team('one is open', INVITATIONS, 200, { data: [invitation()], next_cursor: null }, { arrange: invited }),
  team('the limit is out of range', INVITATIONS, 400, about('limit'), { query: '?limit=0' }),
  team(
    'someone is invited',
    INVITE,
    201,
    ({ location }) => ({
      data: invitation({ id: UUID, full_name: 'Lola Marín', location_ids: [location('Alfa')], ...link }),
    }),
    {
      json: ({ location }) => ({
        email: 'Lola@Contrato.example',
        role: 'operaciones',
        full_name: 'Lola Marín',
        location_ids: [location('Alfa')],
      }),
      arrange: tidy,
    },
  ),
  team('the e-mail is none', INVITE, 400, about('email'), { json: { email: 'lola', role: 'rrhh' } }),
  team(
    'the location is another organization’s',
    INVITE,
    400,
    { error: 'location_ids: unknown location' },
    {
      json: ({ location }) => ({ email: EMAIL, role: 'rrhh', location_ids: [location('Este')] }),
    },
  ),
  team('an admin makes a super_admin', INVITE, 403, error('Forbidden'), {
    json: { email: EMAIL, role: 'super_admin' },
  }),
  team(
    'the e-mail is invited',
    INVITE,
    409,
    { error: 'This e-mail is invited already' },
    {
      json: { email: EMAIL, role: 'rrhh' },
      arrange: invited,
    },
  ),
  team(
    'the e-mail is a member’s',
    INVITE,
    409,
    { error: 'This e-mail belongs to a member already' },
    {
      json: ({ email }) => ({ email: email('rrhh'), role: 'rrhh' }),
    },
  ),
  team('it is open', RENEW, 200, { data: invitation(link) }, { id: ID, arrange: invited }),
  team('it is taken back', WITHDRAW, 204, undefined, { id: ID, arrange: invited }),

  signUp(
    'the e-mail is invited',
    SIGN_UP,
    201,
    {
      success: true,
      user: { id: UUID, email: EMAIL, role: 'operaciones' },
    },
    { json: lola, headers: { 'set-cookie': 'auth-token' }, arrange: all(unlimited, tidy, invited) },
  ),
  signUp('the token is missing', SIGN_UP, 403, error(NO_INVITATION), {
    json: { ...lola, token: undefined },
    arrange: all(unlimited, invited),
  }),
  signUp('the token is another one', SIGN_UP, 403, error(NO_INVITATION), {
    json: { ...lola, token: INVITATION_TOKEN.toUpperCase() },
    arrange: all(unlimited, invited),
  }),
  signUp('nobody invited the e-mail', SIGN_UP, 403, error(NO_INVITATION), { json: lola, arrange: unlimited }),
  signUp('the e-mail has an account', SIGN_UP, 403, error(NO_INVITATION), {
    json: ({ email }) => ({ ...lola, email: email('rrhh') }),
    arrange: unlimited,
  }),
  signUp('the password is short', SIGN_UP, 400, error('password: at least 10 characters'), {
    json: { ...lola, password: 'corta' },
    arrange: all(unlimited, invited),
  }),
  signUp('the database does not answer', SIGN_UP, 500, unexpected, { json: lola, databaseDown: true }),
  signUp('the password is missing', SIGN_IN, 400, about('password'), {
    section: 'decisions §2: sign-in',
    json: { email: EMAIL },
  }),
  signUp('Auth does not answer', SIGN_UP, 503, error('Sign-up is not available'), {
    json: lola,
    arrange: all(unlimited, invited, authDown),
  }),
  password('nobody has the e-mail', FORGOT, 200, { success: true }, { json: { email: EMAIL } }),
  password(
    'somebody has the e-mail',
    FORGOT,
    200,
    { success: true },
    {
      json: ({ email }) => ({ email: email('rrhh') }),
    },
  ),
  password('the e-mail is none', FORGOT, 400, about('email'), { json: { email: 'lola' } }),
  password('another site’s page sends it', FORGOT, 403, error('Forbidden'), {
    json: { email: EMAIL },
    sent: { origin: 'https://evil.example' },
  }),
  password(
    'the link is the mailed one',
    RESET,
    200,
    { success: true },
    {
      json: { token_hash: TOKEN, password: PASSWORD },
      arrange: all(unlimited, hire, forgotten),
    },
  ),
  password('the link is spent', RESET, 403, error('El enlace ya no vale: pide otro'), {
    json: { token_hash: TOKEN, password: PASSWORD },
    arrange: unlimited,
  }),
  password('the password is short', RESET, 400, error('password: at least 10 characters'), {
    json: { token_hash: TOKEN, password: 'corta' },
    arrange: unlimited,
  }),
  password('Auth does not answer', RESET, 503, error('Password reset is not available'), {
    json: { token_hash: TOKEN, password: PASSWORD },
    arrange: all(unlimited, authDown),
  }),
  signUp('Auth does not answer', SIGN_IN, 503, error('Sign-in is not available'), {
    section: 'decisions §2: sign-in',
    json: { email: EMAIL, password: PASSWORD },
    arrange: all(unlimited, authDown),
  }),
  signUp('the database does not answer', SIGN_IN, 500, unexpected, {
    section: 'decisions §1: unexpected errors',
    json: { email: EMAIL, password: PASSWORD },
    databaseDown: true,
  }),
]
