import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { type organizationChangesSchema, organizationSchema } from './schema'

const COLUMNS = 'id, name, slug, frequency_cap_days, quiet_from, quiet_until'

/** The caller's organization and its settings. */
export async function readOrganization({ db, organization }: Pick<Session, 'db' | 'organization'>) {
  return organizationSchema.parse(
    unwrap(await db.from('organizations').select(COLUMNS).eq('id', organization.id).single()),
  )
}

/** Changes the given settings of the caller's organization. */
export async function changeOrganization(
  session: Pick<Session, 'db' | 'organization'>,
  changes: z.infer<typeof organizationChangesSchema>,
) {
  if (Object.keys(changes).length > 0)
    unwrap(await serviceDb().from('organizations').update(changes).eq('id', session.organization.id))
  return readOrganization(session)
}
