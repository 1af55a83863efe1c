import { z } from 'zod'
import { notFound, page, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import {
  integrationInputSchema,
  integrationSchema,
  testInputSchema,
  testMailSchema,
  testResultSchema,
} from './schema'
import { INTEGRATION_TYPES, registrationOf } from './types'

const settings = { tag: 'Integrations', auth: 'session', permission: 'canViewSettings' } as const
const pms = {
  integration_type: 'pms',
  is_enabled: true,
  config: { api_key: null, api_key_set: true, venue_id: null, base_url: 'https://pms.example' },
}

const names = INTEGRATION_TYPES.join(', ')
const needs = INTEGRATION_TYPES.map((type) => {
  const needed = registrationOf(type).required.map((need) =>
    typeof need === 'string' ? need : `one of ${need.join(' and ')}`,
  )
  return `${type} ${needed.join(', ')}`
}).join('; ')

const typeParams = z.object({ type: z.string().max(40) })

export const integrationPaths = definePaths({
  '/api/integrations': {
    get: {
      ...settings,
      summary: 'The integrations and how they are configured',
      description: 'Always all of them. A secret is null; `<name>_set` says whether there is one.',
      responses: {
        200: {
          description: 'Every integration; there is one page',
          schema: page(integrationSchema),
          example: { data: [pms], next_cursor: null },
        },
      },
    },
  },
  '/api/integrations/{type}': {
    put: {
      ...settings,
      confirm: true,
      summary: `Configure an integration (${names})`,
      description: `Fields are replaced; a secret left out is kept, null or an empty text deletes it. Another host (the origin of base_url) or account (account_sid) clears the stored secrets, and the integration is off until they are entered again. A base_url that leads to loopback, a private, link-local or reserved address is refused with the reason. Enabled, it needs: ${needs}.`,
      params: typeParams,
      body: integrationInputSchema,
      bodyExample: { is_enabled: true, config: { api_key: '…', base_url: 'https://pms.example' } },
      responses: {
        200: { description: 'As it is now', schema: single(integrationSchema), example: { data: pms } },
        404: notFound,
      },
    },
  },
  '/api/integrations/{type}/test': {
    post: {
      ...settings,
      summary: `Try the connection of an integration (${names}), enabled or not`,
      description:
        'Asks the provider, for twelve seconds at most, and sends nothing. The outcome of a test of what is stored is kept for the set-up list. pms: the reservations of one day and restaurant, and `details` of what a sync would understand of them; ai: an answer of one token; twilio: the account, and whether the senders are its own where Twilio tells; resend: the domains, and whether the sender’s is verified. Without a body what is stored is tried; the restaurant is that of the first location with a PMS id, else `venue_id`. With a body (pms alone; not for people bound to locations) what is typed is tried before it is saved; its `venue_id` comes first.',
      params: typeParams,
      body: testInputSchema,
      bodyExample: { config: { base_url: 'https://pms.example', api_key: '…', venue_id: 'casa-lumbre' } },
      rateLimited: true,
      responses: {
        200: {
          description: 'Whether the provider answered, else why not',
          schema: testResultSchema,
          example: { success: false, reason: 'bad_key', error: 'the PMS answered 401' },
        },
        404: notFound,
      },
    },
  },
  '/api/integrations/test-mail': {
    post: {
      ...settings,
      summary: 'Send a test mail to oneself with the stored settings of Resend, enabled or not',
      description:
        'Tests the connection of resend first. Counts as passed when Resend accepts the mail; whether it arrives, the reader sees.',
      rateLimited: true,
      responses: {
        200: {
          description: 'Whether Resend accepted the mail, else why not',
          schema: testMailSchema,
          example: { success: true, to: 'lola@grupo.example' },
        },
      },
    },
  },
})
