import 'server-only'
import { cache } from 'react'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { decodeKey, encodeKey } from '@/lib/http/cursor'
import { notFoundError, refuse } from '@/lib/http/errors'
import { finishRefresh } from './refresh'
import {
  LOCATION_COLUMNS,
  type locationChangesSchema,
  locationSchema,
  type newLocationSchema,
} from './schema'

const listedSchema = z.object({
  id: z.string(),
  name: z.string(),
  city: z.string().nullable(),
  timezone: z.string(),
  is_active: z.boolean(),
  pms_id: z.string().nullable(),
  known_from: z.string().nullable(),
  known_until: z.string().nullable(),
  synced_at: z.string().nullable(),
  sync_failing_since: z.string().nullable(),
  sync_failure: z.string().nullable(),
  average_spend_per_guest: z.coerce.number().nullable(),
  brand_id: z.string().nullable(),
  brand: z.object({ name: z.string() }).nullable(),
})
/** A location as pages show it, with its brand and the results of its last syncs. */
export type Location = z.infer<typeof listedSchema>

/** The locations the caller works in, by name, with the data that pages show; read once a request. */
export const listLocations = cache(async ({ db }: Pick<Session, 'db'>): Promise<Location[]> => {
  const columns =
    'id, name, city, timezone, is_active, pms_id, known_from, known_until, synced_at, sync_failing_since, ' +
    'sync_failure, average_spend_per_guest, brand_id, brand:brands(name)'
  return z.array(listedSchema).parse(unwrap(await db.from('locations').select(columns).order('name')))
})

/** A keyset page of the locations the caller works in, by name (unique in the organization). */
export async function pageLocations({ db }: Pick<Session, 'db'>, page: { cursor?: string; limit: number }) {
  let query = db.from('locations').select(LOCATION_COLUMNS).order('name')
  if (page.cursor !== undefined) query = query.gt('name', decodeKey(page.cursor))
  const rows = z.array(locationSchema).parse(unwrap(await query.limit(page.limit + 1)))
  const last = rows.length > page.limit ? rows[page.limit - 1] : undefined
  return { data: rows.slice(0, page.limit), next_cursor: last ? encodeKey(last.name) : null }
}

/**
 * A location the caller works in.
 * @throws HttpError 404.
 */
export async function getLocation({ db }: Pick<Session, 'db'>, id: string) {
  const found = unwrap(await db.from('locations').select(LOCATION_COLUMNS).eq('id', id).maybeSingle())
  if (!found) throw notFoundError()
  return locationSchema.parse(found)
}

const outcomeSchema = z.object({ outcome: z.string(), id: z.string().optional() })
const REFUSALS = {
  unknown_brand: { path: 'brand_id', code: 'unknown', message: 'unknown brand' },
  unknown_timezone: { path: 'timezone', code: 'unknown', message: 'unknown time zone' },
  name_taken: 'LOCATION_NAME_TAKEN',
} as const

/**
 * Adds a location to the organization.
 * @throws HttpError 403 for people bound to locations, 400, 409.
 */
export function createLocation(session: Pick<Session, 'db'>, values: z.infer<typeof newLocationSchema>) {
  return save(session, null, values)
}

/**
 * Changes the given fields of a location the caller works in. First recomputes the customers whose spend or last visit
 * depends on the change.
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

/**
 * Deletes a location without dependent records.
 * @throws HttpError 404, or 409 when it has reservations, assigned people or open invitations.
 */
export async function deleteLocation({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  const outcome = unwrap(await db.rpc('delete_location', { p_location: id }))
  refuse(outcome, { in_use: 'LOCATION_IN_USE' })
}
