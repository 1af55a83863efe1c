import { idParams, notFound, page, pageQuery, problem, silentAuth, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import {
  invitationLinkSchema,
  invitationSchema,
  memberChangesSchema,
  memberSchema,
  newInvitationSchema,
  passwordLinkSchema,
} from './schema'

/** The text of the 503 while Auth makes no link. */
export const NO_LINK = 'No link can be made now'

const managed = { tag: 'Team', auth: 'session', permission: 'canManageTeam' } as const
const locationId = '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10'
const person = {
  email: 'lola@grupo.example',
  full_name: 'Lola Marín',
  role: 'operaciones',
  location_ids: [locationId],
  created_at: '2026-11-20T12:00:00.000Z',
}
const member = { id: '9d3a2c1e-51f0-4f0d-8a51-7be0f6a3c9d2', ...person, all_locations: false }
const invitation = {
  id: '4c6f0b1d-2a7e-4f55-b6a3-1d9e8c7f6a50',
  ...person,
  expires_at: '2026-11-27T12:00:00.000Z',
  mail: 'sent' as const,
}
const token = 'Zs0cXvTnLZbK1y2mJ0sV8q3wR5uY7aB9cD1eF3gH5iJ'
const link = {
  ...invitation,
  token,
  url: `https://crm.grupo.example/sign-up#token=${token}`,
}
const SHOWN_ONCE =
  'The link is mailed to the person by the organization’s e-mail provider and shown in this answer, never again. It works once, for seven days.'
const own = problem('The caller’s own role or locations, or their own removal', 'OWN_ACCOUNT')
const RULES =
  'Only a super_admin creates, changes or removes a super_admin. Someone bound to locations acts only on people bound within those, and assigns only those.'

export const teamPaths = definePaths({
  '/api/team': {
    get: {
      ...managed,
      summary: 'The team, the oldest members first',
      query: pageQuery,
      responses: {
        200: {
          description: 'A page of people',
          schema: page(memberSchema),
          example: { data: [member], next_cursor: null },
        },
      },
    },
  },
  '/api/team/{id}': {
    patch: {
      ...managed,
      confirm: true,
      summary: 'Change a person’s role, name or locations',
      description: RULES,
      params: idParams,
      body: memberChangesSchema,
      bodyExample: { role: 'operaciones', location_ids: [locationId] },
      responses: {
        200: { description: 'As they are now', schema: single(memberSchema), example: { data: member } },
        404: notFound,
        409: own,
      },
    },
    delete: {
      ...managed,
      confirm: true,
      summary: 'Remove a person from the team; they lose access at once',
      description: RULES,
      params: idParams,
      responses: { 204: { description: 'Removed' }, 404: notFound, 409: own },
    },
  },
  '/api/team/{id}/end-sessions': {
    post: {
      ...managed,
      summary: 'Sign a person of the team, or the caller, out everywhere, at once',
      description: RULES,
      params: idParams,
      responses: { 204: { description: 'Signed out' }, 404: notFound },
    },
  },
  '/api/team/{id}/password-link': {
    post: {
      ...managed,
      confirm: true,
      summary: 'A link to a new password for a person of the team, to hand over',
      description: `${RULES} Nobody makes one for a person with rights that they lack themselves, nor for themselves. The answer shows the link once; it is logged, and the person gets a mail about it, without the link. A second factor of theirs is still asked for. For 30 days the two do not approve each other’s sends.`,
      creates: true,
      rateLimited: 'hour',
      params: idParams,
      responses: {
        201: {
          description: 'The link',
          schema: single(passwordLinkSchema),
          example: {
            data: {
              url: 'https://crm.grupo.example/reset-password?token_hash=5f1c9b',
              expires_at: '2026-11-20T13:00:00.000Z',
            },
          },
        },
        404: notFound,
        409: own,
        501: problem('Auth has no admin API', 'LINK_UNSUPPORTED'),
        503: silentAuth(NO_LINK),
      },
    },
  },
  '/api/team/invitations': {
    get: {
      ...managed,
      summary: 'The open invitations, the oldest first',
      query: pageQuery,
      responses: {
        200: {
          description: 'A page of invitations',
          schema: page(invitationSchema),
          example: { data: [invitation], next_cursor: null },
        },
      },
    },
    post: {
      ...managed,
      confirm: true,
      summary: 'Invite an e-mail to join',
      description: `${RULES} ${SHOWN_ONCE}`,
      body: newInvitationSchema,
      bodyExample: { email: person.email, role: person.role, location_ids: [locationId] },
      responses: {
        201: { description: 'Invited', schema: single(invitationLinkSchema), example: { data: link } },
        409: problem('A member, or invited already', 'ALREADY_INVITED'),
      },
    },
  },
  '/api/team/invitations/{id}': {
    delete: {
      ...managed,
      confirm: true,
      summary: 'Withdraw an open invitation',
      description: RULES,
      params: idParams,
      responses: { 204: { description: 'Withdrawn' }, 404: notFound },
    },
  },
  '/api/team/invitations/{id}/link': {
    post: {
      ...managed,
      confirm: true,
      summary: 'Another link for an open invitation; the old one stops working',
      description: `${RULES} ${SHOWN_ONCE}`,
      creates: true,
      params: idParams,
      responses: {
        200: { description: 'The new link', schema: single(invitationLinkSchema), example: { data: link } },
        404: notFound,
      },
    },
  },
})
