import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { instant } from '@/lib/http/instant'
import { single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { missingAtSchema } from '@/lib/pms/missing-bookings'

const count = z.number().int().min(0).max(100)

const noticesSchema = z
  .object({
    sync: z.object({ status: z.enum(['failed', 'partial']), started_at: instant }).nullable(),
    paused_runs: count,
    waiting_runs: count,
    waiting_campaigns: count,
    tickets: z.object({ near: count, late: count }),
    unknown_messages: count,
    left_pms: z
      .object({ count, not_applied: count, locations: z.array(missingAtSchema) })
      .meta({ description: 'Bookings that left the PMS: `count` were cancelled, `not_applied` were not' }),
  })
  .meta({ id: 'Notices', description: 'What needs the caller’s attention; counts stop at 100.' })
export type Notices = z.infer<typeof noticesSchema>

export const noticePaths = definePaths({
  '/api/notices': {
    get: {
      summary: 'What needs the caller’s attention',
      description:
        'The last sync when it had problems; automation runs that are paused, or wait for the caller’s approval; campaigns that wait for it; the caller’s tickets that are late or due within 18 hours; messages of the last week with an unknown outcome; bookings that left the PMS within 24 hours, the first three of each location. What the role may not read is not counted.',
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
              waiting_campaigns: 1,
              tickets: { near: 2, late: 0 },
              unknown_messages: 3,
              left_pms: {
                count: 1,
                not_applied: 0,
                locations: [
                  {
                    location_id: '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10',
                    location: 'Casa Lumbre Chamberí',
                    cancelled: 1,
                    not_applied: 0,
                    bookings: [
                      {
                        id: '0197b0a1-7d2e-7c3f-8a4b-5c6d7e8f9a0b',
                        customer_name: 'Ana Gil',
                        service_date: '2026-11-20',
                        reservation_date: '2026-11-20',
                        reservation_time: '21:00',
                      },
                    ],
                  },
                ],
              },
            },
          },
        },
      },
    },
  },
})

/** The items that need the caller's attention and that the role may read. */
export async function myNotices({ db }: Pick<Session, 'db'>, now = new Date()): Promise<Notices> {
  return noticesSchema.parse(unwrap(await db.rpc('my_notices', { p_now: now.toISOString() })))
}
