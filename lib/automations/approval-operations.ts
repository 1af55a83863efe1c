import { z } from 'zod'
import { idParams, notFound, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { exampleRun } from './examples'
import { runSchema } from './schema'
import { sendingSchema } from './sending-schema'

const tag = 'Automations'
const auth = 'session'
const permission = 'canAccessMarketing'
const params = idParams.extend({ runId: z.uuid() })
const asked = { guests: 412, started_by_name: 'Ana Ruiz', finished_at: null }
const stopped = { stopped_at: '2026-11-20T12:00:00+00:00', stopped_by: 'Ana Ruiz' }

export const approvalPaths = definePaths({
  '/api/automations/{id}/runs/{runId}/approve': {
    post: {
      summary: 'Let a large send go on',
      description:
        'By someone else than the person who started it, for the `guests` that person saw. Its messages are sent after the answer.',
      tag,
      auth,
      permission,
      params,
      body: z.strictObject({ guests: z.int().min(0).max(2_147_483_647) }),
      bodyExample: { guests: 412 },
      responses: {
        200: {
          description: 'The run, going on',
          schema: single(runSchema),
          example: { data: { ...exampleRun, ...asked, status: 'running', decided_by: 'Luis Gil' } },
        },
        403: problem('The role may not, or it is their own', 'Another person has to approve it'),
        404: notFound,
        409: problem('It does not wait, or writes to other numbers of guests', 'Not waiting for approval'),
      },
    },
  },
  '/api/automations/{id}/runs/{runId}/refuse': {
    post: {
      summary: 'Refuse a large send',
      description: 'Nothing of it is sent. Who started it may take it back in this way.',
      tag,
      auth,
      permission,
      params,
      responses: {
        200: {
          description: 'The run, over',
          schema: single(runSchema),
          example: { data: { ...exampleRun, ...asked, status: 'refused', decided_by: 'Luis Gil' } },
        },
        404: notFound,
        409: problem('It does not wait', 'Not waiting for approval'),
      },
    },
  },
  '/api/automations/{id}/runs/{runId}/stop': {
    post: {
      summary: 'Stop a send',
      description:
        'What is queued is written off as `skipped`; what is being sent right now ends as it ends.',
      tag,
      auth,
      permission,
      params,
      responses: {
        200: {
          description: 'The run, over',
          schema: single(runSchema),
          example: { data: { ...exampleRun, ...stopped, status: 'stopped' } },
        },
        404: notFound,
        409: problem('It is over already', 'Not running'),
      },
    },
  },
  '/api/automations/sending': {
    get: {
      summary: 'Whether automations send at all',
      tag,
      auth,
      permission,
      responses: {
        200: {
          description: 'Since when and by whom they are stopped',
          schema: single(sendingSchema),
          example: { data: { stopped_at: null, stopped_by: null } },
        },
      },
    },
    put: {
      summary: 'Stop everything that automations send, or let it go on',
      description:
        'While stopped no run begins and nothing queued leaves. E-mails about appointments and tickets go on. For people of every location.',
      tag,
      auth,
      permission,
      body: z.strictObject({ stopped: z.boolean() }),
      bodyExample: { stopped: true },
      responses: {
        200: { description: 'As it is now', schema: single(sendingSchema), example: { data: stopped } },
      },
    },
  },
})
