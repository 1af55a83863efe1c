import { testSendSchema } from '@/lib/automations/schema'
import { idParams, notFound, page, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { checkAnswers } from '@/lib/sending-check/answers'
import * as examples from './examples'
import { recipientSchema, recipientsQuery, sentMessageSchema, sentQuery } from './outcomes-schema'
import {
  campaignPatchSchema,
  campaignPreviewInput,
  campaignPreviewSchema,
  campaignResultsSchema,
  campaignSchema,
  campaignSummarySchema,
  campaignsQuery,
  campaignTestInput,
  decisionInput,
  newCampaignSchema,
} from './schema'

const usual = { tag: 'Campaigns', auth: 'session', permission: 'canAccessMarketing' } as const
const ofOne = { ...usual, params: idParams } as const

const one = (description: string, example = examples.exampleCampaign) => ({
  description,
  schema: single(campaignSchema),
  example: { data: example },
})

export const campaignPaths = definePaths({
  '/api/campaigns': {
    get: {
      ...usual,
      summary: 'The campaigns, the newest first',
      query: campaignsQuery,
      responses: {
        200: {
          description: 'A page',
          schema: page(campaignSummarySchema),
          example: { data: [examples.exampleSummary], next_cursor: null },
        },
      },
    },
    post: {
      ...usual,
      summary: 'Create a campaign',
      description:
        'As a draft, which may be incomplete. It writes once to the guests of a segment that is shared or the caller’s own: a first message (with a version b for a test), and follow-ups to those who have not booked. Templates are Liquid, as those of automations.',
      body: newCampaignSchema,
      bodyExample: examples.exampleInput,
      responses: { 201: one('Created') },
    },
  },
  '/api/campaigns/preview': {
    post: {
      ...usual,
      summary: 'What a campaign would do now, saved or not',
      description:
        'Counts by reason, and its messages as one guest would get them: `customer_id`, else the first guest. With `id` the fields are changes to that draft.',
      body: campaignPreviewInput,
      bodyExample: {
        segment_id: examples.exampleInput.segment_id,
        location_ids: examples.exampleInput.location_ids,
        messages: examples.exampleInput.messages.slice(0, 1),
      },
      rateLimited: 'previews',
      responses: {
        200: {
          description: 'The preview',
          schema: single(campaignPreviewSchema),
          example: { data: examples.examplePreview },
        },
        404: notFound,
      },
    },
  },
  '/api/campaigns/{id}': {
    get: {
      ...ofOne,
      summary: 'A campaign',
      responses: { 200: one('The campaign'), 404: notFound },
    },
    patch: {
      ...ofOne,
      summary: 'Change a draft',
      description: 'Only the fields given. `messages` given replace the former ones.',
      body: campaignPatchSchema,
      bodyExample: { version: 1, name: 'Menú de invierno' },
      responses: {
        200: one('As it is now', { ...examples.exampleCampaign, name: 'Menú de invierno', version: 2 }),
        404: notFound,
        409: problem('It is no draft; or no longer of this version (CHANGED_MEANWHILE)', 'NOT_DRAFT'),
      },
    },
    delete: {
      ...ofOne,
      summary: 'Delete a draft',
      responses: {
        204: { description: 'Deleted' },
        404: notFound,
        409: problem('It is no draft', 'NOT_DRAFT'),
      },
    },
  },
  '/api/campaigns/{id}/launch': {
    post: {
      ...ofOne,
      summary: 'Launch a draft',
      description:
        'It is then scheduled, or begins at once without a time; one to more than 500 guests (`asks_again` of its preview) a minute later (`undo_until`), until which it can be taken back. To more guests than the organization’s `campaign_approve_above` it waits for another person’s approval: for seven days, or until its time. A draft that is incomplete is a 400 with its issues.',
      body: decisionInput,
      bodyExample: { guests: 6210, version: 1 },
      responses: {
        200: one('Launched', { ...examples.exampleWaiting, mine: true, can_approve: false }),
        404: notFound,
        409: problem(
          'It is no draft; it is of another `version`, or would write to over a tenth more guests than `guests` (RUN_CHANGED); or the check before sending blocks it (CHECK_FAILED, with `blocking` and `warnings`)',
          'NOT_DRAFT',
        ),
      },
    },
  },
  '/api/campaigns/{id}/check': {
    get: {
      ...ofOne,
      summary: 'What is wrong with it, before it is sent',
      description:
        'As it would be launched now. What is `blocking` has to be mended first; `warnings` may stay. The preview has the same for a draft that is not saved.',
      rateLimited: 'previews',
      responses: checkAnswers,
    },
  },
  '/api/campaigns/{id}/approve': {
    post: {
      ...ofOne,
      summary: 'Approve a campaign',
      description:
        'By someone else than the person who launched it, for the number of `guests` and the `version` that the approver saw.',
      body: decisionInput,
      bodyExample: { guests: 6210, version: 1 },
      responses: {
        200: one('Scheduled', examples.exampleScheduled),
        403: problem('The role may not, or it is their own', 'OTHER_APPROVER_NEEDED'),
        404: notFound,
        409: problem(
          'It does not wait; or it is of another version or number of guests (RUN_CHANGED)',
          'NOT_WAITING',
        ),
      },
    },
  },
  '/api/campaigns/{id}/refuse': {
    post: {
      ...ofOne,
      summary: 'Refuse a campaign',
      description: 'It is a draft again. Who launched it may take it back in this way.',
      responses: {
        200: one('A draft again', { ...examples.exampleCampaign, reason: 'refused' }),
        404: notFound,
        409: problem('It does not wait', 'NOT_WAITING'),
      },
    },
  },
  '/api/campaigns/{id}/unschedule': {
    post: {
      ...ofOne,
      summary: 'Take a scheduled campaign back',
      responses: {
        200: one('A draft again'),
        404: notFound,
        409: problem('It is not scheduled, or has begun', 'NOT_SCHEDULED'),
      },
    },
  },
  '/api/campaigns/{id}/pause': {
    post: {
      ...ofOne,
      summary: 'Pause a campaign',
      description:
        'No further message leaves; messages already handed to the provider may still be delivered.',
      responses: {
        200: one('Paused', { ...examples.exampleSending, status: 'paused', reason: 'paused_by_hand' }),
        404: notFound,
        409: problem('It is not sending', 'NOT_RUNNING'),
      },
    },
  },
  '/api/campaigns/{id}/resume': {
    post: {
      ...ofOne,
      summary: 'Let a paused campaign go on',
      description:
        'After `audience_grew`, and above the limit after `segment_changed`, it waits for approval again, for the new number of guests. Its messages are sent after the answer.',
      responses: {
        200: one('Going on', examples.exampleSending),
        404: notFound,
        409: problem('It is not paused', 'NOT_PAUSED'),
      },
    },
  },
  '/api/campaigns/{id}/stop': {
    post: {
      ...ofOne,
      summary: 'Stop a campaign',
      description:
        'What is queued is written off as `skipped`; those being sent right now may still be delivered.',
      responses: {
        200: one('Over', { ...examples.exampleSending, status: 'stopped', stopped_by: 'Ana Ruiz' }),
        404: notFound,
        409: problem('It is over, or was never launched', 'NOT_RUNNING'),
      },
    },
  },
  '/api/campaigns/{id}/copy': {
    post: {
      ...ofOne,
      summary: 'Copy a campaign',
      description: 'A draft with the same segment and messages, without a time.',
      responses: { 201: one('The draft'), 404: notFound },
    },
  },
  '/api/campaigns/{id}/test': {
    post: {
      ...ofOne,
      summary: 'Send one of its messages to oneself',
      description:
        'As one guest would get it, marked “[Prueba]”; in no log, and counted nowhere. An e-mail goes to the address of the person who asks, SMS and WhatsApp to the `recipient` given.',
      body: campaignTestInput,
      bodyExample: { step: 1, recipient: '+34612345678' },
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
  '/api/campaigns/{id}/results': {
    get: {
      ...ofOne,
      summary: 'What a campaign brought',
      responses: {
        200: {
          description:
            'Progress by message, what guests did with each version, lift, credited reservations, and the comparison of the versions',
          schema: single(campaignResultsSchema),
          example: { data: examples.exampleResults },
        },
        404: notFound,
      },
    },
  },
  '/api/campaigns/{id}/recipients': {
    get: {
      ...ofOne,
      summary: 'To whom it went, and what came of it',
      description:
        'A row a message, the newest first. As a CSV file it takes a code of the second factor, where there is one, and a place of ten downloads an hour; cells that a spreadsheet would run are escaped, and the audit log has it, with the rows that went out.',
      query: recipientsQuery,
      responses: {
        200: {
          description: 'A page; or the download',
          schema: page(recipientSchema),
          example: { data: [examples.exampleRecipient], next_cursor: null },
          otherForms: { 'text/csv': {} },
        },
        403: problem('Not allowed; or a download without a recent code', 'SECOND_FACTOR_NEEDED'),
        404: notFound,
        429: problem('More than ten downloads in an hour', 'RATE_LIMITED'),
      },
    },
  },
  '/api/campaigns/{id}/sent': {
    get: {
      ...ofOne,
      summary: 'One of its messages as it was sent',
      query: sentQuery,
      responses: {
        200: {
          description: 'The message',
          schema: single(sentMessageSchema),
          example: { data: examples.exampleSent },
        },
        404: problem('No such message, or it has not begun', 'NOT_FOUND'),
      },
    },
  },
})
