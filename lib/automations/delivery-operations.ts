import { z } from 'zod'
import { idParams, notFound, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { exampleRun } from './examples'
import { resultsQuery, resultsSchema } from './results-schema'
import { runSchema } from './schema'
import { testSendInput, testSendSchema } from './test-send-schema'

const tag = 'Automations'
const auth = 'session'
const permission = 'canAccessMarketing'

export const deliveryPaths = definePaths({
  '/api/automations/{id}/runs/{runId}/resume': {
    post: {
      summary: 'Let a paused run go on',
      description:
        'A run pauses after ten failures in a row, and when its channel’s provider is switched off (`no_provider`); its `reason` ' +
        'says why. Its messages are sent after the answer.',
      tag,
      auth,
      permission,
      params: idParams.extend({ runId: z.uuid() }),
      responses: {
        200: {
          description: 'The run, going on',
          schema: single(runSchema),
          example: { data: { ...exampleRun, status: 'running', sent: 0, pending: 9, finished_at: null } },
        },
        404: notFound,
        409: problem('It is not paused', 'Not paused'),
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
              },
              reservations: 17,
              covers: 46,
              revenue: 1380.5,
            },
          },
        },
        404: notFound,
      },
    },
  },
  '/api/automations/{id}/test': {
    post: {
      summary: 'Send the message to oneself',
      description:
        'As one customer would get it, marked “[Prueba]”; in no log, and counted nowhere. An e-mail goes to the address of ' +
        'the person who asks, SMS and WhatsApp to the `recipient` given.',
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
})
