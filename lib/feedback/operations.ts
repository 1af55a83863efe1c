import { z } from 'zod'
import { GUEST_LANGUAGES } from '@/lib/i18n/guest-languages'
import { idParams, notFound, page, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { clean } from '@/lib/text/clean'
import { feedbackQuery } from './filters'
import { MAX_WORDS } from './limits'
import { feedbackReplyInput, feedbackReplySchema, feedbackSchema } from './schema'

const tag = 'Feedback'
const usual = { tag, auth: 'session', permission: 'canAccessClientes' } as const
const id = '1d0c3f52-7a0b-4a4e-8a52-0c1f6b7d9e11'

export const feedbackPaths = definePaths({
  '/api/feedback': {
    get: {
      summary: 'What guests said about their visits, the latest first',
      description: 'Someone bound to locations sees the feedback about those locations.',
      ...usual,
      query: feedbackQuery,
      responses: {
        200: {
          description: 'A page',
          schema: page(feedbackSchema),
          example: {
            data: [
              {
                id,
                location_id: '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10',
                location: 'Retiro',
                customer_id: '0a9c1d2e-3f40-4b5a-8c6d-7e8f90a1b2c3',
                customer_name: 'Ana Ruiz',
                allergies: ['nuts'],
                reservation_id: '4f5a6b7c-8d9e-4f01-a2b3-c4d5e6f70812',
                reservation_date: '2026-11-19',
                score: 5,
                words: 'El arroz, de diez.',
                language: 'es',
                answered_at: '2026-11-20T11:00:00+00:00',
                ticket_id: null,
                reply: null,
                replied_by: null,
                replied_at: null,
              },
            ],
            next_cursor: null,
          },
        },
      },
    },
  },
  '/api/feedback/{id}/reply': {
    post: {
      ...usual,
      summary: 'Write back to a guest about their visit, once',
      description:
        'By e-mail, else by WhatsApp to those who wrote in the last 24 hours, else by SMS; not by a channel that the guest opted out of.',
      params: idParams,
      body: feedbackReplyInput,
      bodyExample: { reply: 'Gracias, Ana. Nos alegra que te gustara el arroz.' },
      responses: {
        201: {
          description: 'Queued, and sent where the provider took it at once',
          schema: single(feedbackReplySchema),
          example: { data: { id, channel: 'email' } },
        },
        404: notFound,
        409: problem('Answered before (ALREADY_REPLIED); or no channel reaches the guest', 'UNREACHABLE'),
      },
    },
  },
  '/api/feedback/{id}/draft': {
    post: {
      ...usual,
      summary: 'Have the assistant propose a reply',
      description:
        'In the guest’s language. Nothing is stored or sent. Counts as a question to the assistant.',
      params: idParams,
      changes: false,
      rateLimited: true,
      responses: {
        200: {
          description: 'The proposed text',
          schema: single(feedbackReplyInput),
          example: { data: { reply: 'Gracias, Ana. Nos alegra que te gustara el arroz.' } },
        },
        404: notFound,
        409: problem('No model is configured', 'NO_MODEL'),
        502: problem('The provider of the model failed', 'MODEL_UNAVAILABLE'),
      },
    },
  },
})

/** The form of the survey. */
export const surveyForm = z.object({
  score: z.coerce.number().int().min(1).max(5),
  // Browsers send a line break of a text as two characters, and count it as one.
  words: z
    .string()
    .max(2 * MAX_WORDS)
    .transform((text) => clean(text.replaceAll('\r\n', '\n')))
    .pipe(z.string().max(MAX_WORDS))
    .default(''),
  language: z.enum(GUEST_LANGUAGES).default('es').meta({ description: 'Of the page: that of the answer' }),
  guest_language: z
    .enum(GUEST_LANGUAGES)
    .optional()
    .catch(undefined)
    .meta({ description: 'Which the guest chose on the page: from now on their language' }),
})

export const surveyPaths = definePaths({
  '/api/f/{token}': {
    post: {
      summary: 'Answer the survey of a message about a visit',
      description:
        'The form of the page /f/{token}. One answer a visit, which may be changed for a day; without words the earlier ones stay. It leads back to the page, which says whether the answer was saved or the link is over. A score of 1 or 2 opens a ticket, once a visit. Needs no session.',
      tag,
      auth: 'none',
      rateLimited: true,
      params: z.object({ token: z.string().max(200) }),
      otherBodies: {
        'application/x-www-form-urlencoded': surveyForm,
        'multipart/form-data': surveyForm,
      },
      responses: {
        303: {
          description: 'Done, or the link is over; back to the page',
          headers: { Location: 'The page, /f/{token}' },
        },
        404: problem('No such link', 'NOT_FOUND'),
        415: problem('No form', 'UNSUPPORTED_CONTENT_TYPE', 'Content-Type must be a form'),
      },
    },
  },
})
