import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { notFoundError, refuse } from '@/lib/http/errors'
import { toldReservationSchema } from '@/lib/reservations/schema'
import {
  type Closing,
  closingSchema,
  type NewClosing,
  type PlacedClosing,
  placedClosingSchema,
} from './schema'

const REFUSALS = {
  repeated: 'ALREADY_EXISTS',
  full: 'TOO_MANY_CLOSINGS',
  unknown_shift: { path: 'shift', code: 'unknown', message: 'No shift of the location on that weekday' },
  unknown_zone: { path: 'zone', code: 'unknown', message: 'No zone of the location' },
} as const

/**
 * The closings of a location the caller works in, by day.
 * @throws HttpError 404.
 */
export async function listClosings({ db }: Pick<Session, 'db'>, locationId: string): Promise<Closing[]> {
  const found = unwrap(await db.rpc('list_closings', { p_location: locationId }))
  if (found === null) throw notFoundError()
  return z.array(closingSchema).parse(found)
}

/**
 * The closings of the caller's locations, or of one of them, on some service days: by day, what closes most first.
 */
export async function closingsBetween(
  { db }: Pick<Session, 'db'>,
  { from, until, locationId }: { from: string; until: string; locationId?: string },
): Promise<PlacedClosing[]> {
  let closings = db
    .from('closed_days')
    .select('id, location_id, day, shift, zone, reason:name')
    .gte('day', from)
    .lte('day', until)
  if (locationId) closings = closings.eq('location_id', locationId)
  const sorted = closings
    .order('day')
    .order('shift', { nullsFirst: true })
    .order('zone', { nullsFirst: true })
  return z.array(placedClosingSchema).parse(unwrap(await sorted.order('id')))
}

const outcomeSchema = z.object({
  outcome: z.string(),
  closing: closingSchema.optional(),
  reservations: z.array(toldReservationSchema).optional(),
})

/**
 * Closes a service day of a location, or a shift or zone of it; the bookings that it concerns stay as they are.
 * @throws HttpError 404, 400 for a shift or zone that the location does not have, 409 when it is closed already.
 */
export async function addClosing({ db }: Pick<Session, 'db'>, locationId: string, closing: NewClosing) {
  const answer = unwrap(await db.rpc('add_closing', { p_location: locationId, p_closing: closing }))
  const { outcome, closing: data, reservations = [] } = outcomeSchema.parse(answer)
  refuse(outcome, REFUSALS)
  if (!data) throw new Error(`add_closing: ${outcome}`)
  return { data, reservations }
}

/**
 * Opens again what a closing closed.
 * @throws HttpError 404.
 */
export async function removeClosing({ db }: Pick<Session, 'db'>, locationId: string, id: string) {
  refuse(unwrap(await db.rpc('remove_closing', { p_location: locationId, p_closing: id })), {})
}
