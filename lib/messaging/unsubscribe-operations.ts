import { z } from 'zod'
import { problem } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'

/** What the page's buttons send, and what a mail program does (RFC 8058). */
export const unsubscribeForm = z.object({
  action: z.enum(['unsubscribe', 'undo']).optional(),
  'List-Unsubscribe': z.string().max(100).optional(),
})

export const unsubscribePaths = definePaths({
  '/api/u/{token}': {
    post: {
      summary: 'Unsubscribe by the link of a message, or undo that',
      description:
        'Also at /u/{token}, the address that messages carry. With an `action` it leads back to the page; without, as mail programs post it (List-Unsubscribe=One-Click), it unsubscribes. Needs no session.',
      tag: 'Messages',
      auth: 'none',
      anyOrigin: true,
      params: z.object({ token: z.string().max(2000) }),
      otherBodies: {
        'application/x-www-form-urlencoded': unsubscribeForm,
        'multipart/form-data': unsubscribeForm,
      },
      responses: {
        200: {
          description: 'Unsubscribed',
          schema: z.object({ success: z.literal(true) }),
          example: { success: true },
        },
        303: { description: 'Done; back to the page', headers: { Location: 'The page, /u/{token}' } },
        404: problem('No such link', 'Not found'),
        415: problem('No form', 'Content-Type must be a form'),
      },
    },
  },
})
