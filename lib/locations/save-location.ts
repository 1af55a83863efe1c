import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { refuse } from '@/lib/http/refusals'
import { getLocation } from './get-location'
import { finishRefresh } from './refresh'
import type { locationChangesSchema, newLocationSchema } from './schema'

const outcomeSchema = z.object({ outcome: z.string(), id: z.string().optional() })
const REFUSALS = {
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Not found'],
  unknown_brand: [400, 'brand_id: unknown brand'],
  unknown_timezone: [400, 'timezone: unknown time zone'],
  name_taken: [409, 'A location with this name exists already'],
} as const

/**
 * Adds a location to the organization.
 * @throws HttpError 403 for someone bound to locations, 400, 409.
 */
export function createLocation(session: Pick<Session, 'db'>, values: z.infer<typeof newLocationSchema>) {
  return save(session, null, values)
}

/**
 * Changes the given fields of a location the caller works in. Customers whose spend or last visit follows from
 * what changed are recomputed before it answers.
 * @throws HttpError 404, 400, 409.
 */
export async function changeLocation(
  session: Pick<Session, 'db'>,
  id: string,
  changes: z.infer<typeof locationChangesSchema>,
) {
  const location = await save(session, id, changes)
  await finishRefresh(serviceDb(), id)
  return location
}

async function save({ db }: Pick<Session, 'db'>, id: string | null, values: { [field: string]: Json }) {
  const parameters = { p_location: id as string, p_values: values }
  const { outcome, id: saved = '' } = outcomeSchema.parse(unwrap(await db.rpc('save_location', parameters)))
  refuse(outcome, REFUSALS)
  return getLocation({ db }, saved)
}
