import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'

const issueSchema = z.object({
  location_id: z.string(),
  location: z.string(),
  code: z.string(),
  reservation: z.string().nullable(),
  detail: z.string().nullable(),
})
const runSchema = z.object({
  status: z.enum(['running', 'succeeded', 'partial', 'failed']),
  started_at: z.string(),
  finished_at: z.string().nullable(),
  result: z.object({
    locations: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          count: z.number(),
          created: z.number(),
          updated: z.number(),
          failed: z.boolean(),
        }),
      )
      .default([]),
    issues: z.array(issueSchema).default([]),
    error: z.string().optional(),
  }),
})
/** The latest run of the PMS sync: per location what came, and what was wrong (see lib/pms/sync/issues). */
export type LastSync = z.infer<typeof runSchema>

/**
 * The organization's latest sync, with what concerns these locations (those the caller works in), or null
 * when there has been none.
 */
export async function lastSync(
  { db }: Pick<Session, 'db'>,
  locationIds: readonly string[],
): Promise<LastSync | null> {
  const found = unwrap(await db.rpc('last_sync'))
  if (!found) return null
  const { result, ...run } = runSchema.parse(found)
  const locations = result.locations.filter(({ id }) => locationIds.includes(id))
  const issues = result.issues.filter(({ location_id }) => locationIds.includes(location_id))
  return { ...run, result: { ...result, locations, issues } }
}
