import { idParams, notFound, page, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { checkAnswers } from '@/lib/sending-check/answers'
import { automationsQuery } from './filters'
import { liftSchema } from './lift-schema'
import { runPaths } from './run-operations'
import {
  automationPatchSchema,
  automationSchema,
  draftSchema,
  draftTestInput,
  newAutomationSchema,
  previewSchema,
  resultsQuery,
  resultsSchema,
  testSendInput,
  testSendSchema,
} from './schema'
import { AUTOMATION_TYPES, type AutomationType, numbersOf } from './types'

const tag = 'Automations'
const auth = 'session'
const permission = 'canAccessMarketing'

const input = {
  name: 'Feliz cumpleaños',
  type: 'birthday',
  channel: 'email',
  fallback_channel: 'sms',
  status: 'active',
  subject: 'Feliz cumpleaños, {{ first_name }}',
  body: 'Te invitamos a un postre en {{ location_name }}.',
  criteria: { days_before: 7 },
}
const example = {
  id: '5e0c8b1a-7d2f-4c3e-8a9b-1f2e3d4c5b6a',
  ...input,
  content_sid: null,
  content_variables: {},
  email_design: null,
  versions: [],
  location_ids: [],
  tags: [],
  tier_ids: [],
  control_share: 10,
  created_at: '2026-11-20T11:00:00+00:00',
  updated_at: '2026-11-20T11:00:00+00:00',
}
const one = (description: string) => ({
  description,
  schema: single(automationSchema),
  example: { data: example },
})

/** What the criteria of a type have beside their numbers. */
const BESIDE: Partial<Record<AutomationType, string>> = {
  vip_reward: 'min_tier Oro, or ',
  reservation_confirmation: 'answers false, or answers true, question, ',
}

/** The criteria of a type with their defaults, such as `birthday {days_before 7}`. */
function criteriaInWords(type: AutomationType): string {
  const numbers = numbersOf(type).map(([name, { initial }]) => [name, initial].join(' ').trim())
  return `${type} {${BESIDE[type] ?? ''}${numbers.join(', ')}}`
}

const draft = {
  type: 'birthday',
  channel: 'sms',
  body: 'Felicidades, {{ first_name }}.',
  criteria: { days_before: 7 },
}

const preview = {
  matched: 14,
  to_send: 9,
  held_by_quiet_hours: 0,
  skipped: {
    no_address: 2,
    not_mobile: 0,
    suppressed: 0,
    no_consent: 1,
    needs_template: 0,
    no_provider: 0,
    no_app_url: 0,
    frequency_cap: 1,
    guest_frequency: 0,
    brand_muted: 0,
    duplicate: 0,
    control_group: 1,
  },
  sample: {
    customer_id: '0a9c1d2e-3f40-4b5a-8c6d-7e8f90a1b2c3',
    customer_name: 'Ana Ruiz',
    channel: 'sms',
    subject: null,
    body: 'Felicidades, Ana.',
    html: null,
    content_sid: null,
    content_variables: {},
  },
  check: { blocking: [], warnings: [{ code: 'missing_name', count: 2 }] },
  seed: '7d1e5a90-2f6b-4c3d-8e7f-0a1b2c3d4e5f',
}

/** The lift that the document shows. */
export const exampleLift = {
  control_share: 10,
  days: 30,
  waiting: 212,
  treated: { guests: 5400, came: 590, visits: 648, revenue: 41_472, estimated_revenue: 1320 },
  control: { guests: 600, came: 50, visits: 54, revenue: 3456, estimated_revenue: 0 },
  visits: { known: 'unclear', per_thousand: 30, low: -0.2, high: 54 },
  revenue: { known: 'unclear', per_thousand: 1920, low: -280.2, high: 3619.7 },
} as const

export const automationPaths = definePaths({
  '/api/automations': {
    get: {
      summary: 'The automations, the newest first',
      tag,
      auth,
      permission,
      query: automationsQuery,
      responses: {
        200: {
          description: 'A page',
          schema: page(automationSchema),
          example: { data: [example], next_cursor: null },
        },
      },
    },
    post: {
      summary: 'Create an automation',
      description:
        `criteria by type: ${AUTOMATION_TYPES.map(criteriaInWords).join(', ')}. To a confirmation with answers, ` +
        'plain answers of guests are understood, others become tickets. ' +
        'Templates are Liquid with first_name, last_name, full_name, location_name, tier, total_visits, last_visit, ' +
        'birthday, reservation_date, reservation_time, party_size, organization_name, unsubscribe_url; after a ' +
        'visit also feedback_link, the survey about it.',
      tag,
      auth,
      permission,
      body: newAutomationSchema,
      bodyExample: input,
      responses: {
        201: one('Created'),
        409: problem(
          'The name is taken; or it is active and the check before sending blocks it (CHECK_FAILED, with `blocking` and `warnings`)',
          'ALREADY_EXISTS',
        ),
      },
    },
  },
  '/api/automations/{id}': {
    get: {
      summary: 'An automation',
      tag,
      auth,
      permission,
      params: idParams,
      responses: { 200: one('The automation'), 404: notFound },
    },
    patch: {
      summary: 'Change an automation',
      description: 'Only the fields given. Criteria given replace the former ones, defaults filled in.',
      tag,
      auth,
      permission,
      params: idParams,
      body: automationPatchSchema,
      bodyExample: { status: 'inactive' },
      responses: {
        200: one('As it is now'),
        404: notFound,
        409: problem(
          'The name is taken; or someone else changed it at the same time (CHANGED_MEANWHILE), or what is in `loaded` (EDITED_MEANWHILE); or it would be active and the check before sending blocks it (CHECK_FAILED, with `blocking` and `warnings`)',
          'ALREADY_EXISTS',
        ),
      },
    },
    delete: {
      summary: 'Delete an automation',
      description: 'Its log and messages stay; what it has in the queue is skipped.',
      tag,
      auth,
      permission,
      params: idParams,
      responses: { 204: { description: 'Deleted' }, 404: notFound },
    },
  },
  '/api/automations/{id}/preview': {
    get: {
      summary: 'What a run would do now, without doing it',
      description: 'Whatever the status: counts by reason, and the message as one customer would get it.',
      tag,
      auth,
      permission,
      params: idParams,
      rateLimited: 'previews',
      responses: {
        200: {
          description: 'The preview',
          schema: single(previewSchema),
          example: { data: preview },
        },
        404: notFound,
      },
    },
  },
  '/api/automations/{id}/check': {
    get: {
      summary: 'What is wrong with it, before it is sent',
      description:
        'As a run would send it now. What is `blocking` has to be mended before it can be activated; `warnings` may stay.',
      tag,
      auth,
      permission,
      params: idParams,
      rateLimited: 'previews',
      responses: checkAnswers,
    },
  },
  '/api/automations/preview': {
    post: {
      summary: 'What a run would do, of an automation that is not saved',
      description:
        'As GET /api/automations/{id}/preview. With `id` the fields are changes to that automation: customers it has ' +
        'written to already are left out. Nothing needs to be complete, but what is given must be well-formed.',
      tag,
      auth,
      permission,
      body: draftSchema,
      bodyExample: draft,
      rateLimited: 'previews',
      responses: {
        200: {
          description: 'The preview',
          schema: single(previewSchema),
          example: { data: preview },
        },
        404: notFound,
      },
    },
  },
  '/api/automations/{id}/test': {
    post: {
      summary: 'Send the message to oneself, or to colleagues',
      description:
        'As one guest would get it (`customer_id`, else an example), marked “[Prueba]”; in no log, and counted nowhere. An ' +
        'e-mail goes to the address of the person who asks, or to the colleagues of `to`; SMS and WhatsApp to the `recipient` given.',
      tag,
      auth,
      permission,
      params: idParams,
      body: testSendInput,
      bodyExample: { channel: 'sms', recipient: '+34612345678' },
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
  '/api/automations/{id}/results': {
    get: {
      summary: 'What the automation’s messages brought',
      tag,
      auth,
      permission,
      params: idParams,
      query: resultsQuery,
      responses: {
        200: {
          description: 'Messages, and the reservations they are credited with',
          schema: single(resultsSchema),
          example: {
            data: {
              from: '2026-08-22T12:00:00.000Z',
              to: '2026-11-20T12:00:00.000Z',
              messages: {
                total: 120,
                sent: 104,
                delivered: 98,
                simulated: 0,
                skipped: 14,
                failed: 2,
                pending: 0,
                emails: 104,
                opened: 41,
                maybe_opened: 66,
                clicked: 18,
              },
              reservations: 17,
              covers: 46,
              revenue: 1380.5,
              estimated_revenue: 0,
              links: [
                { link: 'https://example.com/reservas', clicked: 15 },
                { link: 'unsubscribe', clicked: 2 },
              ],
            },
          },
        },
        404: notFound,
      },
    },
  },
  '/api/automations/{id}/lift': {
    get: {
      summary: 'The lift of an automation',
      description:
        'Visits and revenue of the guests it wrote to and of its control group, and the difference per 1,000 guests.',
      tag,
      auth,
      permission,
      params: idParams,
      responses: {
        200: {
          description: 'Both groups, and their difference',
          schema: single(liftSchema),
          example: { data: exampleLift },
        },
        404: notFound,
      },
    },
  },
  ...runPaths,
})
