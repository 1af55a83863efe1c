import { edited, idParams, notFound, page, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { newSegment, previewInput, segmentChanges, segmentPreview, segmentSchema } from './schema'

const usual = { tag: 'Segments', auth: 'session', permission: 'canAccessClientes' } as const

const input = {
  name: 'Cumplen este mes y aceptan WhatsApp',
  shared: true,
  definition: {
    and: [
      { field: 'birthday', is: 'this_month' },
      { field: 'consent', channel: 'whatsapp', state: 'reachable' },
      { not: { field: 'tags', is: 'any', tags: ['prensa'] } },
    ],
  },
}
const id = 'a4d0f3c2-5b6e-4f70-8a91-0b2c3d4e5f60'
const example = {
  id,
  ...input,
  owner_name: 'Lucía Prieto',
  mine: true,
  can_change: true,
  version: 1,
  used_by: {
    total: 1,
    campaigns: [{ id: 'b5e1a4d3-6c7f-4a81-9ba2-1c3d4e5f6071', name: 'Felicitación de noviembre' }],
    automations: [],
  },
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:00.000Z',
}
const one = { schema: single(segmentSchema), example: { data: example } }
const guest = {
  id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  name: 'Ana Ruiz',
  email: 'ana@correo.example',
  phone: '+34612345678',
  tier: 'Plata',
  total_visits: 4,
  total_spend: 312.5,
  last_visit_at: '2026-11-14T20:30:00.000Z',
  last_visit_on: '2026-11-14',
  allergies: ['nuts'],
}
const refused = 'Someone else’s; or it changes automations that the caller may not'

export const segmentPaths = definePaths({
  '/api/segments': {
    get: {
      ...usual,
      summary: 'The segments, by name',
      description:
        'Those shared with the group, the caller’s own, and those of campaigns that wait for an approval which the caller may give. There is one page: of the first two there are 200 at most.',
      responses: {
        200: {
          description: 'The segments',
          schema: page(segmentSchema),
          example: { data: [example], next_cursor: null },
        },
      },
    },
    post: {
      ...usual,
      summary: 'Create a segment',
      description:
        'A definition is a tree of {and: […]}, {or: […]} and {not: …} over conditions: at most 50 of them, five groups deep.',
      body: newSegment,
      bodyExample: input,
      responses: {
        201: { description: 'Created', ...one },
        409: problem(
          'The name is taken; or there are 200 segments, shared or one’s own (TOO_MANY_SEGMENTS)',
          'ALREADY_EXISTS',
        ),
      },
    },
  },
  '/api/segments/preview': {
    post: {
      ...usual,
      summary: 'Whom a definition matches, without saving it',
      description:
        'Someone bound to locations gets the guests of these, and no reservations of others count. With `id`, also whom the definition would add to that segment and drop.',
      body: previewInput,
      bodyExample: { definition: input.definition },
      rateLimited: 'previews',
      responses: {
        200: {
          description: 'How many, and the first of them',
          schema: single(segmentPreview),
          example: { data: { customers: 31, first: [guest] } },
        },
        404: notFound,
      },
    },
  },
  '/api/segments/{id}': {
    get: {
      ...usual,
      summary: 'A segment',
      params: idParams,
      responses: { 200: { description: 'The segment', ...one }, 404: notFound },
    },
    patch: {
      ...usual,
      summary: 'Change a segment',
      description:
        'Its owner; a shared one also who has canAccessMarketing and works in every location. Only the fields given. What automations, or campaigns of others, use stays shared.',
      params: idParams,
      body: segmentChanges,
      bodyExample: { name: 'Cumpleaños con WhatsApp' },
      responses: {
        200: { description: 'Changed', ...one },
        403: problem(refused, 'FORBIDDEN'),
        404: notFound,
        409: {
          ...edited,
          description: `${edited.description}; or the name is taken (ALREADY_EXISTS), it is in use and would be shared no more (SEGMENT_IN_USE), or it would be one of more than 200 shared (TOO_MANY_SEGMENTS)`,
        },
      },
    },
    delete: {
      ...usual,
      summary: 'Delete a segment',
      params: idParams,
      responses: {
        204: { description: 'Deleted' },
        403: problem(refused, 'FORBIDDEN'),
        404: notFound,
        409: problem(
          'Campaigns or automations use it: `in_use` has how many, and those that the caller may see',
          'SEGMENT_IN_USE',
        ),
      },
    },
  },
})
