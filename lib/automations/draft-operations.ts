import { notFound, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { draftSchema, draftTestInput } from './draft-schema'
import { previewSchema } from './schema'
import { testSendSchema } from './test-send-schema'

const tag = 'Automations'
const auth = 'session'
const permission = 'canAccessMarketing'
const draft = {
  type: 'birthday',
  channel: 'sms',
  body: 'Felicidades, {{ first_name }}.',
  criteria: { days_before: 7 },
}

/** What can be done with an automation before it is saved. */
export const draftPaths = definePaths({
  '/api/automations/preview': {
    post: {
      summary: 'What a run would do, of an automation that is not saved',
      description:
        'As GET /api/automations/{id}/preview. With `id` the fields are changes to that automation: whom it has ' +
        'written to already stays left out. Nothing needs to be complete, but what is given must be well-formed.',
      tag,
      auth,
      permission,
      body: draftSchema,
      bodyExample: draft,
      responses: {
        200: {
          description: 'The preview',
          schema: single(previewSchema),
          example: {
            data: {
              matched: 12,
              to_send: 9,
              held_by_quiet_hours: 0,
              skipped: {
                no_address: 2,
                suppressed: 0,
                no_consent: 1,
                needs_template: 0,
                no_provider: 0,
                no_app_url: 0,
                frequency_cap: 1,
                duplicate: 0,
              },
              sample: {
                customer_id: '0a9c1d2e-3f40-4b5a-8c6d-7e8f90a1b2c3',
                customer_name: 'Ana Ruiz',
                channel: 'sms',
                subject: null,
                body: 'Felicidades, Ana.',
                content_sid: null,
                content_variables: {},
              },
            },
          },
        },
        404: notFound,
      },
    },
  },
  '/api/automations/test': {
    post: {
      summary: 'Send oneself the message of an automation that is not saved',
      description: 'As POST /api/automations/{id}/test.',
      tag,
      auth,
      permission,
      body: draftTestInput,
      bodyExample: { automation: draft, recipient: '+34612345678' },
      rateLimited: true,
      responses: {
        200: {
          description: 'What became of it',
          schema: single(testSendSchema),
          example: { data: { channel: 'sms', recipient: '+34612345678', status: 'sent', reason: null } },
        },
        404: notFound,
      },
    },
  },
})
