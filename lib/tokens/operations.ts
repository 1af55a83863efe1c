import { idParams, notFound, page, pageQuery, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { apiTokenSchema, newApiTokenAnswerSchema, newApiTokenSchema } from './schema'

const managed = { tag: 'API tokens', auth: 'session', permission: 'canManageTeam' } as const
const request = {
  name: 'Cuadro de mando',
  permissions: ['canAccessOperaciones' as const],
  location_ids: ['2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10'],
}
const token = {
  id: '7d0c2f4e-91a3-4f0b-8f2d-5b1a6c3e9d80',
  ...request,
  prefix: 'sbm_7d0c2f4e',
  created_by: 'Lola Marín',
  created_at: '2026-11-20T12:00:00.000Z',
  expires_at: '2027-02-18T12:00:00.000Z',
  last_used_at: null,
  revoked_at: null,
}
const RULES =
  'A token holds some of its creator’s permissions, in some or all of their locations; settings, the team and tokens are for people. People bound to locations manage only tokens bound within those.'

export const tokenPaths = definePaths({
  '/api/tokens': {
    get: {
      ...managed,
      summary: 'The API tokens, the latest first, also those that are over',
      query: pageQuery,
      responses: {
        200: {
          description: 'A page of tokens, without the tokens themselves',
          schema: page(apiTokenSchema),
          example: { data: [token], next_cursor: null },
        },
      },
    },
    post: {
      ...managed,
      summary: 'Make an API token',
      description: `${RULES} The token is shown in this answer, never again; send it as \`Authorization: Bearer <token>\`. At most 120 requests a minute.`,
      body: newApiTokenSchema,
      bodyExample: { ...request, expires_in_days: 90 },
      responses: {
        201: {
          description: 'The token',
          schema: single(newApiTokenAnswerSchema),
          example: {
            data: {
              ...token,
              token: 'sbm_7d0c2f4e-91a3-4f0b-8f2d-5b1a6c3e9d80_Zs0cXvTnLZbK1y2mJ0sV8q3wR5uY7aB9cD1eF3gH5iJ',
            },
          },
        },
        409: problem('Too many tokens in use', 'TOO_MANY_TOKENS'),
      },
    },
  },
  '/api/tokens/{id}': {
    delete: {
      ...managed,
      summary: 'Revoke an API token; it opens nothing from then on',
      description: RULES,
      params: idParams,
      responses: { 204: { description: 'Revoked' }, 404: notFound },
    },
  },
})
