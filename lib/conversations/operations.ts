import { z } from 'zod'
import { idParams, notFound, page, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { conversationsQuery } from './filters'
import {
  conversationReplyInput,
  conversationReplySchema,
  conversationSchema,
  conversationWithTexts,
} from './schema'

const tag = 'Conversations'
const usual = { tag, auth: 'session', permission: 'canAccessClientes' } as const
const id = '6e1c7f0a-52d4-4f3b-9c88-2a7d1e5b9f04'
const text = 'b7d2a9c4-1f6e-4d05-8a3b-90c4e6f1a2d7'
const example = {
  id,
  customer_id: '0a9c1d2e-3f40-4b5a-8c6d-7e8f90a1b2c3',
  customer_name: 'Ana Ruiz',
  allergies: ['nuts'],
  channel: 'whatsapp',
  address: '+34600111222',
  last_at: '2026-11-20T11:00:00+00:00',
  unread: 1,
  can_reply_until: '2026-11-21T11:00:00.000Z',
}

export const conversationPaths = definePaths({
  '/api/conversations': {
    get: {
      summary: 'Conversations with guests and strangers, the latest first',
      description:
        'Everything that people write by SMS and WhatsApp and that is neither an opt-out nor an understood answer. They are the group’s, whatever the location.',
      ...usual,
      query: conversationsQuery,
      responses: {
        200: {
          description: 'A page',
          schema: page(conversationSchema),
          example: {
            data: [{ ...example, last_text: '¿Tenéis trona?', last_media: null, last_direction: 'in' }],
            next_cursor: null,
          },
        },
      },
    },
  },
  '/api/conversations/{id}': {
    get: {
      summary: 'A conversation with its latest texts',
      description: 'Reading it does not mark it as read.',
      ...usual,
      params: idParams,
      query: z.object({
        cursor: z.string().max(600).optional().meta({ description: '`earlier_cursor` of the texts after' }),
      }),
      responses: {
        200: {
          description: 'The conversation',
          schema: single(conversationWithTexts),
          example: {
            data: {
              ...example,
              reply_obstacle: null,
              texts: [
                {
                  ...{ id: text, direction: 'in', text: '¿Tenéis trona?', media: null },
                  ...{ at: '2026-11-20T11:00:00+00:00', sent_by: null, ticket_id: null },
                  ...{ status: null, reason: null, simulated: false },
                },
              ],
              earlier_cursor: null,
            },
          },
        },
        404: notFound,
      },
    },
  },
  '/api/conversations/{id}/reply': {
    post: {
      ...usual,
      summary: 'Write back in a conversation',
      description:
        'By its channel, and marks it as read. By WhatsApp only within 24 hours of their last text, by SMS at any time; never to who opted out, also when they wrote since.',
      params: idParams,
      body: conversationReplyInput,
      bodyExample: { text: 'Sí, tenemos dos tronas. ¡Hasta mañana!' },
      responses: {
        201: {
          description: 'Queued, and sent where the provider took it at once; `id` is that of the text',
          schema: single(conversationReplySchema),
          example: { data: { id: text, conversation_id: id, channel: 'whatsapp' } },
        },
        404: notFound,
        409: problem(
          'They opted out; or the address bounced (UNREACHABLE), WhatsApp’s 24 hours are over (NEEDS_TEMPLATE), the channel has no provider (NO_PROVIDER)',
          'OPTED_OUT',
        ),
      },
    },
  },
  '/api/conversations/{id}/read': {
    post: {
      ...usual,
      summary: 'Mark a conversation as read, for everybody',
      params: idParams,
      responses: {
        200: {
          description: 'Read',
          schema: single(z.object({ id: z.string(), unread: z.literal(0) })),
          example: { data: { id, unread: 0 } },
        },
        404: notFound,
      },
    },
  },
})
