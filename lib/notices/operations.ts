import { single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { noticesSchema } from './schema'

export const noticePaths = definePaths({
  '/api/notices': {
    get: {
      summary: 'What needs the caller’s attention',
      description:
        'The last sync when it had problems; automation runs that are paused, or wait for the caller’s approval; the caller’s tickets that are late or due within 18 hours; messages of the last week of which nobody knows whether they arrived. What the role may not read counts as none.',
      tag: 'Overview',
      auth: 'session',
      machines: true,
      responses: {
        200: {
          description: 'The counts',
          schema: single(noticesSchema),
          example: {
            data: {
              sync: { status: 'failed', started_at: '2026-11-20T11:00:00+00:00' },
              paused_runs: 1,
              waiting_runs: 1,
              tickets: { near: 2, late: 0 },
              unknown_messages: 3,
            },
          },
        },
      },
    },
  },
})
