import 'server-only'
import { cache } from 'react'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'

const locationSchema = z.object({
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
  brand: z.object({ name: z.string() }).nullable(),
})
export type Location = z.infer<typeof locationSchema>

/** The locations the caller works in, by name; the header and the page of one request read them once. */
export const listLocations = cache(async ({ db }: Pick<Session, 'db'>): Promise<Location[]> => {
  const columns =
    'id, name, city, timezone, is_active, pms_id, known_from, known_until, synced_at, sync_failing_since, sync_failure, average_spend_per_guest, brand:brands(name)'
  return z.array(locationSchema).parse(unwrap(await db.from('locations').select(columns).order('name')))
})
