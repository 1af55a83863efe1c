import { z } from 'zod'
import { problem } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'

const timestamp = '2026-11-20T12:00:00.000Z'
const instant = z.iso.datetime()
const counts = { processed: z.int(), sent: z.int(), skipped: z.int(), failed: z.int() }
const none = z.literal(0)

const answers = z.union([
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

export const runPaths = definePaths({
  '/api/automations/{id}/run': {
    post: {
      summary: 'Run an automation now',
      description:
        'Answers once its messages are sent, or after nearly 300 seconds with the rest `pending`. processed = sent + ' +
        'skipped + failed + pending. Messages held back by quiet hours are pending. Someone bound to locations runs ' +
        'automations that reach only these; with `limit_marketing_to_roles` of the organization it needs canAccessMarketing. A send to more guests than the organization’s `approve_above` waits, all `pending`, with `status`, until a second person approves it.',
      tag: 'Automations',
      auth: 'session',
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
          schema: answers,
          example: {
            success: true,
            processed: 12,
            sent: 9,
            skipped: 2,
            failed: 1,
            pending: 0,
            errors: ['1 by email failed: mailbox full'],
            timestamp,
          },
          headers: { 'Preference-Applied': '`respond-async` when it was asked for' },
        },
        400: {
          description: 'No id',
          schema: z.strictObject({ error: z.literal('Automation ID is required'), timestamp: instant }),
          example: { error: 'Automation ID is required', timestamp },
        },
        404: problem('No such automation (respond-async)', 'Automation not found'),
        500: {
          description: 'No such automation, or an unexpected failure',
          schema: z.strictObject({ success: z.literal(false), error: z.string(), timestamp: instant }),
          example: { success: false, error: 'Automation not found', timestamp },
        },
      },
    },
  },
})
