import { z } from 'zod'
import { GUEST_LANGUAGES } from '@/lib/i18n/guest-languages'
import { idParams, notFound, page, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { messagesQuery } from './filters'
import { CHANNELS, messageSchema } from './schema'
import { whatsAppTemplateSchema } from './template-states'

const example = {
  id: '8d4f2f7e-5f6f-4f0e-9d57-7a2b8b7f0c21',
  automation_id: '5e0c8b1a-7d2f-4c3e-8a9b-1f2e3d4c5b6a',
  run_id: '7c1d9e2b-3a4f-4d5c-9b8a-2e3f4a5b6c7d',
  customer_id: '0a9c1d2e-3f40-4b5a-8c6d-7e8f90a1b2c3',
  channel: 'email',
  recipient: 'ana@example.com',
  status: 'skipped',
  reason: 'frequency_cap',
  detail: null,
  simulated: false,
  created_at: '2026-11-20T11:00:00+00:00',
  sent_at: null,
}

export const messagePaths = definePaths({
  '/api/messages': {
    get: {
      summary: 'Messages to customers, the newest first',
      tag: 'Messages',
      auth: 'session',
      permission: 'canAccessMarketing',
      query: messagesQuery,
      responses: {
        200: {
          description: 'A page',
          schema: page(messageSchema),
          example: {
            data: [example],
            next_cursor: null,
          },
        },
      },
    },
  },
  '/api/whatsapp-templates': {
    get: {
      summary: 'The WhatsApp templates of the Twilio account, by name',
      description:
        'Asks Twilio, for eight seconds at most. Only an `approved` one is delivered. At most 1,000; there is one page.',
      tag: 'Messages',
      auth: 'session',
      permission: 'canAccessMarketing',
      responses: {
        200: {
          description: 'The templates with their state',
          schema: page(whatsAppTemplateSchema),
          example: {
            data: [
              {
                ...{
                  sid: `HX${'0'.repeat(32)}`,
                  name: 'cumpleanos',
                  language: 'es',
                  state: 'approved' as const,
                },
                ...{ rejection_reason: null, body: 'Feliz cumpleaños, {{1}}', variables: ['1'] },
              },
            ],
            next_cursor: null,
          },
        },
        409: problem('The Twilio integration is not enabled', 'TWILIO_NOT_CONFIGURED'),
        502: problem('Twilio refused, or did not answer in time', 'TWILIO_UNAVAILABLE'),
      },
    },
  },
  '/api/messages/{id}/reconcile': {
    post: {
      summary: 'Say what became of a message with an unknown outcome',
      description:
        'A message is `unknown` when its provider may have sent it and never said so; it is not sent again by itself. ' +
        'A person who asked the provider or the customer says `sent` or `failed`; after `failed` the automation’s next ' +
        'run may write to the customer again. It leaves a line in the audit log.',
      tag: 'Messages',
      auth: 'session',
      permission: 'canAccessMarketing',
      params: idParams,
      body: z.strictObject({ status: z.enum(['sent', 'failed']) }),
      bodyExample: { status: 'sent' },
      responses: {
        200: {
          description: 'The message as it is now',
          schema: single(messageSchema),
          example: {
            data: { ...example, status: 'sent', reason: null, sent_at: '2026-11-20T11:00:02+00:00' },
          },
        },
        404: notFound,
        409: problem('Its outcome is known', 'OUTCOME_KNOWN'),
      },
    },
  },
})

/** What stands in an unsubscribe link beside its token; a spoilt one unsubscribes all the same. */
export const unsubscribeQuery = z.object({
  m: z
    .string()
    .max(100)
    .optional()
    .catch(undefined)
    .meta({ description: 'The message that the link stands in: its campaign or automation is credited' }),
})

/** How often marketing may write, over all channels; `none` closes every one. */
export const FREQUENCIES = ['all', 'monthly', 'none'] as const

/** What a guest chooses on the page. A field that the form does not have stays as it is. */
export const wishesForm = z.object({
  channels: z.array(z.enum(CHANNELS)).optional().meta({
    description:
      'The wanted ones, repeated or divided by commas; an empty one alone is none. A no to SMS or WhatsApp is a no to both; what a STOP, the staff, a bounce or a complaint closed stays closed',
  }),
  frequency: z.enum(FREQUENCIES).optional(),
  brands: z
    .array(z.guid())
    .max(1000)
    .optional()
    .meta({ description: 'The wanted ones of the group, written as `channels`' }),
  guest_language: z
    .enum(GUEST_LANGUAGES)
    .optional()
    .meta({ description: 'In which the guest wants to be written to; an empty one changes nothing' }),
})

/** The form that the page's buttons and mail programs (RFC 8058) send. */
export const unsubscribeForm = z.object({
  action: z.enum(['unsubscribe', 'undo', 'preferences']).optional(),
  'List-Unsubscribe': z.string().max(100).optional(),
  /** Of the page to lead back to. */
  language: z.enum(GUEST_LANGUAGES).optional(),
  ...wishesForm.shape,
})

export const unsubscribePaths = definePaths({
  '/api/u/{token}': {
    post: {
      summary: 'Unsubscribe by the link of a message, undo that, or choose what to get',
      description:
        'Also at /u/{token}, the address that messages carry. With an `action` it leads back to the page; without, as mail programs post it (List-Unsubscribe=One-Click), it unsubscribes. `unsubscribe` is about the link’s address, with `frequency=none` about every channel of its guests. `preferences` saves the other fields for all guests who have the address. Needs no session.',
      tag: 'Messages',
      auth: 'none',
      anyOrigin: true,
      params: z.object({ token: z.string().max(2000) }),
      query: unsubscribeQuery,
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
        404: problem('No such link', 'NOT_FOUND'),
        429: problem('Preferences: 10 posts a minute a link, 60 a network', 'RATE_LIMITED'),
        415: problem('No form', 'UNSUPPORTED_CONTENT_TYPE', 'Content-Type must be a form'),
      },
    },
  },
})
