import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { allergiesOf } from '@/lib/customers/allergies'
import { allergiesField } from '@/lib/customers/facts-schema'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { HttpError, refuse } from '@/lib/http/errors'
import { editedMeanwhile } from '@/lib/http/loaded'
import { shownSegments } from './broken'
import {
  isReadable,
  type NewSegment,
  type PreviewInput,
  type Segment,
  type SegmentChanges,
  type SegmentPreview,
  segmentPreview,
  segmentSchema,
  segmentUses,
  shownDefinition,
} from './schema'

type Db = Pick<Session, 'db'>

/** The segments that the caller may read, by name: those shared with the group, and their own. At most 200. */
export async function listSegments({ db }: Db): Promise<Segment[]> {
  return shownSegments(unwrap(await db.rpc('list_segments')))
}

/**
 * A segment by id.
 * @throws HttpError 404 when there is none that the caller may read.
 */
export async function getSegment({ db }: Db, id: string): Promise<Segment> {
  const [found] = shownSegments(unwrap(await db.rpc('list_segments', { p_id: id })))
  if (!found) throw new HttpError('NOT_FOUND')
  return found
}

const savedSchema = z.object({
  outcome: z.string(),
  segment: z.unknown().optional(),
  current: segmentSchema.partial().extend({ definition: z.unknown().optional() }).optional(),
})

/**
 * Makes a segment, or changes the given fields of the one with that id.
 * @throws HttpError 404; 403 for someone else's, or when it changes automations that the caller may not; 409 for a name
 * in use, more than 200 segments, one in use that would be shared no more, or fields that someone else
 * changed since they were `loaded`.
 */
export async function saveSegment(
  { db }: Db,
  fields: NewSegment | SegmentChanges,
  id?: string,
): Promise<Segment> {
  const answer = await db.rpc('save_segment', { p_fields: compared(fields) as unknown as Json, p_id: id })
  const { outcome, segment, current } = savedSchema.parse(unwrap(answer))
  const [saved] = segment === undefined ? [] : shownSegments([segment])
  if (saved) return saved
  if (current) throw editedMeanwhile(current)
  refuse(outcome, { too_many: 'TOO_MANY_SEGMENTS', in_use: 'SEGMENT_IN_USE' })
  throw new Error(`save_segment: ${outcome}`)
}

/** The fields without a definition that was loaded as broken (null in the form): what is stored is something else. */
function compared(fields: NewSegment | SegmentChanges): object {
  if (!('loaded' in fields) || fields.loaded?.definition === undefined) return fields
  if (isReadable(shownDefinition(fields.loaded.definition))) return fields
  const { definition: _, ...loaded } = fields.loaded
  return { ...fields, loaded }
}

const deletedSchema = z.object({ outcome: z.string(), in_use: segmentUses.optional() })

/**
 * Deletes a segment.
 * @throws HttpError 404; 403 for someone else's; 409 when campaigns or automations use it: how many, and the names of those
 * that the caller may see.
 */
export async function deleteSegment({ db }: Db, id: string): Promise<void> {
  const deleted = deletedSchema.parse(unwrap(await db.rpc('delete_segment', { p_id: id })))
  if (deleted.in_use) throw new HttpError('SEGMENT_IN_USE', { fields: { in_use: deleted.in_use } })
  refuse(deleted.outcome)
}

/**
 * How many customers a definition matches, and the first of them; with the id of a segment also whom it adds and drops.
 * Someone bound to locations gets the guests of these.
 * @throws HttpError 404 for an id that the caller may not read.
 */
export async function previewSegment(
  { db }: Db,
  { definition, id }: PreviewInput,
  now = new Date(),
): Promise<SegmentPreview> {
  const found = unwrap(
    await db.rpc('preview_segment', {
      p_definition: definition as unknown as Json,
      p_id: id,
      p_now: now.toISOString(),
    }),
  )
  const { outcome, ...preview } = z.object({ outcome: z.string() }).loose().parse(found)
  refuse(outcome)
  const groups = foundPreview.parse(preview)
  const guests = [groups, groups.added, groups.dropped].flatMap((group) => group?.first ?? [])
  const known = await allergiesOf(
    { db },
    guests.map((guest) => guest.id),
  )
  for (const guest of guests) guest.allergies = (known.get(guest.id) ?? []).map(({ code }) => code)
  return segmentPreview.parse(groups)
}

const foundGroup = z.looseObject({
  first: z.array(z.looseObject({ id: z.string(), allergies: allergiesField.default([]) })),
})
const foundPreview = foundGroup.extend({ added: foundGroup.optional(), dropped: foundGroup.optional() })
