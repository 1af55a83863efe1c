import { z } from 'zod'

/** The body of a person's POST /api/sync. */
export const sourceSchema = z.object({ source: z.literal('pms') })

/** The answer of GET /api/cron/sync. */
export const syncBodySchema = z.object({
  success: z.literal(true),
  timestamp: z.iso.datetime(),
  summary: z.array(
    z.object({
      location: z.string(),
      result: z.object({ status: z.enum(['success', 'error']), reservations: z.int() }),
    }),
  ),
  skipped: z.literal(true).optional(),
})
