import 'server-only'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'

/** The hour of an organization's clock at which its night begins. */
export const NIGHT_HOUR = 3

interface KnownOrganization {
  id: string
  /** How long a freed table is offered to the waitlist; null: not at all. */
  offer_tables_minutes: number | null
}

/** What several jobs of one call ask of the database: read once, when the first of them asks. */
export interface Known {
  organizations: () => Promise<readonly KnownOrganization[]>
  /** The nightly jobs that have succeeded since the night began, as `<organization> <job>`. */
  nights: () => Promise<ReadonlySet<string>>
}

/** The knowledge of a call that began at `now`; a read that failed is tried again by the next job. */
export function createKnown(db: Db, now: Date): Known {
  return {
    organizations: once(
      async () => unwrap(await db.from('organizations').select('id, offer_tables_minutes').order('id')) ?? [],
    ),
    nights: once(async () => {
      const found = await db.rpc('finished_nightly', { p_hour: NIGHT_HOUR, p_now: now.toISOString() })
      return new Set((unwrap(found) ?? []).map(({ organization_id, job }) => `${organization_id} ${job}`))
    }),
  }
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  return () => {
    value ??= read().catch((error: unknown) => {
      value = undefined
      throw error
    })
    return value
  }
}

/** The ids of all organizations, in order. */
export async function organizationIds({
  db,
  known = createKnown(db, new Date()),
}: Asking): Promise<string[]> {
  return (await known.organizations()).map(({ id }) => id)
}

interface Asking {
  db: Db
  known?: Pick<Known, 'organizations'>
}
