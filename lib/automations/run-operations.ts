import { z } from 'zod'
import { idParams, notFound, page, pageQuery, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { type AutomationRun, runSchema, sendingSchema } from './schema'

const tag = 'Automations'
const auth = 'session'
const permission = 'canAccessMarketing'
const params = idParams.extend({ runId: z.guid() })
const asked = { guests: 412, started_by_name: 'Ana Ruiz', finished_at: null }
const stopped = { stopped_at: '2026-11-20T12:00:00+00:00', stopped_by: 'Ana Ruiz' }

/** What the OpenAPI document shows. */
const exampleRun: AutomationRun = {
  id: '7c1d9e2b-3a4f-4d5c-9b8a-2e3f4a5b6c7d',
  automation_id: '5e0c8b1a-7d2f-4c3e-8a9b-1f2e3d4c5b6a',
  automation_name: 'Feliz cumpleaños',
  triggered_by: 'manual',
  status: 'finished',
  reason: null,
  processed: 12,
  sent: 9,
  skipped: 2,
  failed: 1,
  pending: 0,
  simulated: 0,
  started_by: '3b2a1c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  started_by_name: 'Ana Ruiz',
  guests: null,
  expires_at: null,
  decided_by: null,
  decided_at: null,
  stopped_by: null,
  stopped_at: null,
  started_at: '2026-11-20T11:00:00+00:00',
  finished_at: '2026-11-20T11:00:02+00:00',
}

const timestamp = '2026-11-20T12:00:00.000Z'
const instant = z.iso.datetime()
const counts = { processed: z.int(), sent: z.int(), skipped: z.int(), failed: z.int() }
const none = z.literal(0)

const runAnswer = z.union([
  z.strictObject({
    success: z.literal(true),
    ...counts,
    pending: z.int(),
    status: z.literal('waiting_approval').optional(),
    errors: z.array(z.string()).max(50),
    timestamp: instant,
  }),
  z.strictObject({
    success: z.literal(true),
    message: z.literal('Automation is not active'),
    processed: none,
    sent: none,
    skipped: none,
    failed: none,
    timestamp: instant,
  }),
  z.strictObject({ success: z.literal(true), automation_id: z.string() }),
])

/** Running automations, and what people do with runs. */
export const runPaths = definePaths({
  '/api/automations/{id}/run': {
    post: {
      contract: true,
      summary: 'Run an automation now',
      description:
        'Answers once its messages are sent, or after nearly 300 seconds with the rest `pending`. processed = sent + ' +
        'skipped + failed + pending. Messages held by quiet hours are pending. Someone bound to locations runs ' +
        'automations that reach only these; with `limit_marketing_to_roles` of the organization it needs canAccessMarketing. A send to more guests than the organization’s `approve_above` waits, all `pending`, with `status`, until a second person approves it.',
      tag: 'Automations',
      auth: 'session',
      permission: 'canWorkInOffice',
      machines: 'canAccessMarketing',
      // Whatever is no id is unknown, also what the database could not even look for.
      params: z.object({ id: z.string().overwrite((id) => id.replaceAll('\0', '?').toWellFormed()) }),
      rateLimited: true,
      headers: {
        Prefer:
          '`respond-async`: the run is enqueued, answered with `{success, automation_id}`, and goes on by itself.',
      },
      failure: (message: string) => ({
        success: false,
        error: message,
        timestamp: new Date().toISOString(),
      }),
      responses: {
        200: {
          description: 'Ran; or not active, and nothing was done; or (respond-async) enqueued',
          schema: runAnswer,
          example: {
            success: true,
            processed: 12,
            sent: 9,
            skipped: 2,
            failed: 1,
            pending: 0,
            errors: ['1 by email failed: soft_bounce'],
            timestamp,
          },
          headers: { 'Preference-Applied': '`respond-async` when it was asked for' },
        },
        400: {
          description: 'No id',
          schema: z.strictObject({ error: z.literal('Automation ID is required'), timestamp: instant }),
          example: { error: 'Automation ID is required', timestamp },
        },
        404: problem('No such automation (respond-async)', 'AUTOMATION_NOT_FOUND'),
        500: {
          description: 'No such automation, or an unexpected failure',
          schema: z.strictObject({ success: z.literal(false), error: z.string(), timestamp: instant }),
          example: { success: false, error: 'Automation not found', timestamp },
        },
      },
    },
  },
  '/api/automations/{id}/runs': {
    get: {
      summary: 'The automation’s log, the latest run first',
      tag,
      auth,
      permission,
      params: idParams,
      query: pageQuery,
      responses: {
        200: {
          description: 'A page',
          schema: page(runSchema),
          example: {
            data: [exampleRun],
            next_cursor: null,
          },
        },
        404: notFound,
      },
    },
  },
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
        403: problem('The role may not, or it is their own', 'OTHER_APPROVER_NEEDED'),
        404: notFound,
        409: problem('It does not wait, or writes to other numbers of guests', 'NOT_WAITING'),
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
        409: problem('It does not wait', 'NOT_WAITING'),
      },
    },
  },
  '/api/automations/{id}/runs/{runId}/resume': {
    post: {
      summary: 'Let a paused run go on',
      description:
        'A run pauses after ten failures in a row, and when its channel’s provider is switched off (`no_provider`); its `reason` ' +
        'says why. Its messages are sent after the answer.',
      tag,
      auth,
      permission,
      params,
      responses: {
        200: {
          description: 'The run, going on',
          schema: single(runSchema),
          example: { data: { ...exampleRun, status: 'running', sent: 0, pending: 9, finished_at: null } },
        },
        404: notFound,
        409: problem('It is not paused', 'NOT_PAUSED'),
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
        409: problem('It is over already', 'NOT_RUNNING'),
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
