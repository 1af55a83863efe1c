import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { withResults } from '@/lib/jobs/with-results'

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
  session: Pick<Session, 'db' | 'organization'>,
  locationIds: readonly string[],
): Promise<LastSync | null> {
  const found = unwrap(
    await session.db
      .from('job_runs')
      .select('id, status, started_at, finished_at')
      .eq('organization_id', session.organization.id)
      .eq('job', 'sync')
      .order('started_at', { ascending: false })
      .limit(1)
      .maybeSingle(),
  )
  if (!found) return null
  const [latest] = await withResults(session, [found])
  const { result, ...run } = runSchema.parse(latest)
  const locations = result.locations.filter(({ id }) => locationIds.includes(id))
  const issues = result.issues.filter(({ location_id }) => locationIds.includes(location_id))
  return { ...run, result: { ...result, locations, issues } }
}
