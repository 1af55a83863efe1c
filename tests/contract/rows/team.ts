import { expect } from 'vitest'
import { ROLES } from '@/lib/permissions'
import { hashOfSecret } from '@/lib/secret'
import { type Arrange, type Asker, error, ISO, type Row, UUID } from '../row'
import type { World } from '../world'
import { afterwards, all, given } from './arrange'
import { about } from './cases'

const ID = '10000000-0000-4000-8000-000000000001'
export const EMAIL = 'lola@contrato.example'
const MEMBER = '/api/team/{id}'
const INVITE = 'POST /api/team/invitations'
const INVITATIONS = 'GET /api/team/invitations'
const WITHDRAW = 'DELETE /api/team/invitations/{id}'
const RENEW = 'POST /api/team/invitations/{id}/link'
const END_SESSIONS = `POST ${MEMBER}/end-sessions`
const PASSWORD_LINK = `POST ${MEMBER}/password-link`
const OWN = { error: 'You cannot change your own role or locations, nor remove yourself' }

const member =
  (as: Asker, changes: object = {}) =>
  ({ id, email, location }: World) => ({
    id: id(as),
    email: email(as),
    full_name: null,
    role: as === 'bound' ? 'operaciones' : as,
    all_locations: as !== 'bound' && as !== 'sala',
    location_ids: as === 'bound' || as === 'sala' ? [location('Alfa')] : [],
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
  mail: null,
  created_at: ISO,
  ...changes,
})
const link = {
  token: expect.stringMatching(/^[\w-]{43}$/),
  url: expect.stringMatching(/^https?:\/\/[^/]+\/sign-up#token=[\w-]{43}$/),
  mail: expect.stringMatching(/^[a-z_]+$/),
}
export const INVITATION_TOKEN = 'c0ffee00-c0ffee00-c0ffee00-c0ffee00-c0ffee0'
export const invited = given('invitations', () => ({
  id: ID,
  email: EMAIL,
  role: 'operaciones',
  token_hash: hashOfSecret(INVITATION_TOKEN),
  expires_at: new Date(Date.now() + 86_400_000).toISOString(),
}))
export const tidy = all(
  afterwards(`delete from auth.users where email = '${EMAIL}'`),
  afterwards(`delete from public.invitations where email = '${EMAIL}'`),
)
const nameless = afterwards('update public.profiles set full_name = null')

/** Someone who is only there for a row. */
export const passing = { id: '' }
export const hire: Arrange = async ({ group, stack }) => {
  passing.id = (await group.person('marketing')).id
  return () => stack.sql('delete from auth.users where id = $1', [passing.id])
}

/** The team and its invitations. */
export const teamRows: Row[] = [
  {
    name: 'signs a person out everywhere',
    section: 'our own: team',
    as: 'admin',
    request: { operation: END_SESSIONS, id: () => passing.id },
    arrange: hire,
    answers: { status: 204 },
  },
  {
    name: 'refuses an admin who signs a super_admin out',
    section: 'our own: team',
    as: 'admin',
    request: { operation: END_SESSIONS, id: ({ id }) => id('super_admin') },
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'makes a link to a new password for a person',
    section: 'our own: team',
    as: 'admin',
    request: { operation: PASSWORD_LINK, id: () => passing.id },
    arrange: hire,
    answers: {
      status: 201,
      body: {
        data: {
          url: expect.stringMatching(/^https?:\/\/[^/]+\/reset-password\?token_hash=[\w-]+$/),
          expires_at: ISO,
        },
      },
    },
  },
  {
    name: 'refuses an admin who makes one for a super_admin',
    section: 'our own: team',
    as: 'admin',
    request: { operation: PASSWORD_LINK, id: ({ id }) => id('super_admin') },
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'refuses one for oneself',
    section: 'our own: team',
    as: 'admin',
    request: { operation: PASSWORD_LINK, id: ({ id }) => id('admin') },
    answers: { status: 409, body: OWN },
  },
  {
    name: 'lists the team with their locations',
    section: 'our own: team',
    as: 'admin',
    request: { operation: 'GET /api/team' },
    answers: {
      status: 200,
      body: (world) => ({
        data: [...ROLES, 'bound' as const].map((as) => member(as)(world)),
        next_cursor: null,
      }),
    },
  },
  {
    name: 'refuses a limit out of range',
    section: 'our own: team',
    as: 'admin',
    request: { operation: 'GET /api/team', query: '?limit=0' },
    answers: { status: 400, body: about('limit') },
  },
  {
    name: 'changes the name of a member',
    section: 'our own: team',
    as: 'admin',
    request: { operation: `PATCH ${MEMBER}`, id: ({ id }) => id('rrhh'), body: { full_name: 'Lola Marín' } },
    arrange: nameless,
    answers: {
      status: 200,
      body: (world) => ({
        data: member('rrhh', { full_name: 'Lola Marín' })(world),
      }),
    },
  },
  {
    name: 'refuses an unknown role',
    section: 'our own: team',
    as: 'admin',
    request: { operation: `PATCH ${MEMBER}`, id: ({ id }) => id('rrhh'), body: { role: 'cook' } },
    answers: { status: 400, body: about('role') },
  },
  {
    name: 'refuses a location of another organization',
    section: 'our own: team',
    as: 'admin',
    request: {
      operation: `PATCH ${MEMBER}`,
      id: ({ id }) => id('rrhh'),
      body: ({ location }) => ({ location_ids: [location('Este')] }),
    },
    answers: {
      status: 400,
      body: {
        error: 'location_ids: unknown location',
      },
    },
  },
  {
    name: 'refuses an admin who changes a super_admin',
    section: 'our own: team',
    as: 'admin',
    request: { operation: `PATCH ${MEMBER}`, id: ({ id }) => id('super_admin'), body: { role: 'rrhh' } },
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'refuses to change one’s own role',
    section: 'our own: team',
    as: 'admin',
    request: { operation: `PATCH ${MEMBER}`, id: ({ id }) => id('admin'), body: { role: 'super_admin' } },
    answers: { status: 409, body: OWN },
  },
  {
    name: 'removes a member',
    section: 'our own: team',
    as: 'admin',
    request: { operation: `DELETE ${MEMBER}`, id: () => passing.id },
    arrange: hire,
    answers: { status: 204 },
  },
  {
    name: 'refuses an admin who removes a super_admin',
    section: 'our own: team',
    as: 'admin',
    request: { operation: `DELETE ${MEMBER}`, id: ({ id }) => id('super_admin') },
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'refuses to remove oneself',
    section: 'our own: team',
    as: 'admin',
    request: { operation: `DELETE ${MEMBER}`, id: ({ id }) => id('admin') },
    answers: { status: 409, body: OWN },
  },
  {
    name: 'lists the open invitation',
    section: 'our own: team',
    as: 'admin',
    request: { operation: INVITATIONS },
    arrange: invited,
    answers: { status: 200, body: { data: [invitation()], next_cursor: null } },
  },
  {
    name: 'refuses a limit out of range',
    section: 'our own: team',
    as: 'admin',
    request: { operation: INVITATIONS, query: '?limit=0' },
    answers: { status: 400, body: about('limit') },
  },
  {
    name: 'invites a person',
    section: 'our own: team',
    as: 'admin',
    request: {
      operation: INVITE,
      body: ({ location }) => ({
        email: 'Lola@Contrato.example',
        role: 'operaciones',
        full_name: 'Lola Marín',
        location_ids: [location('Alfa')],
      }),
    },
    arrange: tidy,
    answers: {
      status: 201,
      body: ({ location }) => ({
        data: invitation({ id: UUID, full_name: 'Lola Marín', location_ids: [location('Alfa')], ...link }),
      }),
    },
  },
  {
    name: 'refuses a malformed e-mail',
    section: 'our own: team',
    as: 'admin',
    request: { operation: INVITE, body: { email: 'lola', role: 'rrhh' } },
    answers: { status: 400, body: about('email') },
  },
  {
    name: 'refuses a location of another organization',
    section: 'our own: team',
    as: 'admin',
    request: {
      operation: INVITE,
      body: ({ location }) => ({ email: EMAIL, role: 'rrhh', location_ids: [location('Este')] }),
    },
    answers: { status: 400, body: { error: 'location_ids: unknown location' } },
  },
  {
    name: 'refuses an admin who invites a super_admin',
    section: 'our own: team',
    as: 'admin',
    request: { operation: INVITE, body: { email: EMAIL, role: 'super_admin' } },
    answers: { status: 403, body: error('Forbidden') },
  },
  {
    name: 'refuses an e-mail that is invited already',
    section: 'our own: team',
    as: 'admin',
    request: { operation: INVITE, body: { email: EMAIL, role: 'rrhh' } },
    arrange: invited,
    answers: { status: 409, body: { error: 'This e-mail is invited already' } },
  },
  {
    name: 'refuses the e-mail of a member',
    section: 'our own: team',
    as: 'admin',
    request: { operation: INVITE, body: ({ email }) => ({ email: email('rrhh'), role: 'rrhh' }) },
    answers: { status: 409, body: { error: 'This e-mail belongs to a member already' } },
  },
  {
    name: 'renews the link of an open invitation',
    section: 'our own: team',
    as: 'admin',
    request: { operation: RENEW, id: ID },
    arrange: invited,
    answers: { status: 200, body: { data: invitation(link) } },
  },
  {
    name: 'withdraws an invitation',
    section: 'our own: team',
    as: 'admin',
    request: { operation: WITHDRAW, id: ID },
    arrange: invited,
    answers: { status: 204 },
  },
]
