import { z } from 'zod'
import { automationsJobSchema } from '@/lib/automations/schema'
import { notificationsBodySchema, remindersBodySchema } from '@/lib/messaging/notification'
import { errorSchema, problem, unexpectedSchema } from '@/lib/openapi/common'
import { type Answer, definePaths } from '@/lib/openapi/operation'
import { syncBodySchema } from '@/lib/pms/operations'

const tag = 'Jobs'
const timestamp = '2026-11-20T12:00:00.000Z'

const job = <const B extends z.ZodType>(
  summary: string,
  description: string,
  schema: B,
  example: unknown,
) => ({
  summary,
  description: `${description} Another run under way is not an error: this one then does nothing.`,
  tag,
  contract: true as const,
  auth: 'cron' as const,
  responses: { 200: { description: 'What the run did', schema, example }, 500: failed },
})

const failed: Answer = {
  ...problem('The job failed, or did not end within its time', 'PMS_NOT_CONFIGURED'),
  schema: z.union([errorSchema, unexpectedSchema]),
}

const sent = { success: true, timestamp, sent: 3, failed: 0 }
const synced = {
  success: true,
  timestamp,
  summary: [{ location: 'Casa Lumbre Chamberí', result: { status: 'success', reservations: 556 } }],
}

const resultSchema = z.union([
  z.object({ endpoint: z.string(), status: z.int(), data: z.record(z.string(), z.unknown()) }),
  z.object({ endpoint: z.string(), error: z.string() }),
])

export const cronPaths = definePaths({
  '/api/cron/master': {
    get: {
      contract: true,
      summary: 'Run every job, one after another',
      description:
        'A job that fails is reported in the results and the next one goes on. `?mode=parallel` runs sync, ' +
        'automations and calendar-notifications at once and answers the second form.',
      tag,
      auth: 'cron',
      query: z.object({
        mode: z.string().optional().meta({ description: '`parallel` for the parallel form' }),
      }),
      responses: {
        200: {
          description: 'How each job ended',
          schema: z.union([
            z.object({
              success: z.literal(true),
              master: z.literal(true),
              timestamp: z.iso.datetime(),
              results: z.array(resultSchema),
            }),
            z.object({
              executed_at: z.iso.datetime(),
              tasks: z.array(z.object({ name: z.string(), status: z.enum(['success', 'error']) })),
            }),
          ]),
          example: {
            success: true,
            master: true,
            timestamp,
            results: [
              { endpoint: '/api/cron/sync', status: 200, data: synced },
              { endpoint: '/api/cron/calendar-notifications', error: 'No notifications to send' },
            ],
          },
        },
      },
    },
  },
  '/api/cron/sync': {
    get: job(
      'Synchronise the reservations of all locations',
      'Every four hours the days ahead too, afterwards. With `skipped` when another run is under way; 500 when every ' +
        'location failed.',
      syncBodySchema,
      synced,
    ),
  },
  '/api/cron/calendar-notifications': {
    get: job(
      'Announce calendar events to their customers',
      'Events within the next 24 hours whose customer has an e-mail, each once.',
      notificationsBodySchema,
      { success: true, timestamp, notifications_sent: 2 },
    ),
  },
  '/api/cron/calendar-reminders': {
    get: job('Remind assignees of calendar events', 'When due, each once.', remindersBodySchema, sent),
  },
  '/api/cron/ticket-notifications': {
    get: job(
      'Tell about new and changed tickets',
      'One e-mail to the assignee, else to the admins, for each ticket since it was last told of.',
      remindersBodySchema,
      sent,
    ),
  },
  '/api/cron/ticket-reminders': {
    get: job(
      'Remind of tickets near or past their SLA',
      'Those whose SLA ends within a quarter of its length, each once.',
      remindersBodySchema,
      sent,
    ),
  },
  '/api/cron/automations': {
    get: job(
      'Run every active automation',
      'The first run after 03:00 local time also evaluates the loyalty tiers and drops what is no longer kept. With ' +
        '`skipped` when another run is under way.',
      automationsJobSchema,
      {
        success: true,
        timestamp,
        total: 1,
        executed: 1,
        failed: 0,
        statistics: { totalProcessed: 12, totalSent: 10, totalSkipped: 2, totalFailed: 0 },
        details: [
          {
            automationId: '7c0f3c52-3f7e-4b5b-9a36-5c3a5f9f8f11',
            automationName: 'Cumpleaños',
            success: true,
            processed: 12,
            sent: 10,
            skipped: 2,
            failed: 0,
          },
        ],
      },
    ),
  },
})
