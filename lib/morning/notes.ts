import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { notFoundError, refuse } from '@/lib/http/errors'
import { type newShiftNote, type ShiftNote, shiftNoteSchema } from './schema'

const changedSchema = z.object({ outcome: z.string(), note: shiftNoteSchema.optional() })
const BAD_DAY = { path: 'day', code: 'out_of_range', message: 'must be within the last week' } as const
const NOT_AUTHOR = { not_author: 'NOT_AUTHOR' } as const

/**
 * The notes on a service day of a location the caller works in, in order of writing.
 * @param day the default is the current service day
 * @throws HttpError 404.
 */
export async function listShiftNotes(
  { db }: Pick<Session, 'db'>,
  { locationId, day, now = new Date() }: { locationId: string; day?: string; now?: Date },
): Promise<ShiftNote[]> {
  const parameters = { p_location: locationId, p_day: day, p_now: now.toISOString() }
  const found = unwrap(await db.rpc('list_shift_notes', parameters))
  if (found === null) throw notFoundError()
  return z.array(shiftNoteSchema).parse(found)
}

/**
 * Writes a note on a service day of a location.
 * @throws HttpError 404 for a location the caller does not work in, 400 for a day in the future or over a week ago, 409
 * when the day has ten.
 */
export async function writeShiftNote(
  { db }: Pick<Session, 'db'>,
  { location_id, body, day }: z.infer<typeof newShiftNote>,
  now = new Date(),
): Promise<ShiftNote> {
  const parameters = { p_location: location_id, p_body: body, p_day: day, p_now: now.toISOString() }
  const { outcome, note } = changedSchema.parse(unwrap(await db.rpc('add_shift_note', parameters)))
  refuse(outcome, { full: 'SHIFT_NOTES_FULL', bad_day: BAD_DAY })
  return shiftNoteSchema.parse(note)
}

/**
 * Changes one of the caller's own notes.
 * @throws HttpError 404, 403 for another person's.
 */
export async function changeShiftNote(
  { db }: Pick<Session, 'db'>,
  id: string,
  body: string,
  now = new Date(),
): Promise<ShiftNote> {
  const parameters = { p_id: id, p_body: body, p_now: now.toISOString() }
  const { outcome, note } = changedSchema.parse(unwrap(await db.rpc('change_shift_note', parameters)))
  refuse(outcome, NOT_AUTHOR)
  return shiftNoteSchema.parse(note)
}

/**
 * Removes one of the caller's own notes.
 * @throws HttpError 404, 403 for another person's.
 */
export async function removeShiftNote({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  const { outcome } = changedSchema.parse(unwrap(await db.rpc('change_shift_note', { p_id: id })))
  refuse(outcome, NOT_AUTHOR)
}
