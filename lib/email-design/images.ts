import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { afterCursor, pageOf } from '@/lib/http/cursor'
import { HttpError, invalidInput, refuse } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { log } from '@/lib/log'
import { imageUrl } from './address'
import { type EmailImage, emailImageRow } from './records'

export const BUCKET = 'email-images'

export type Caller = Pick<Session, 'db' | 'organization'>

export const withUrl = (row: z.infer<typeof emailImageRow>): EmailImage => ({
  ...row,
  url: imageUrl(row.path),
})
export const COLUMNS = 'id, path, name, content_type, bytes, width, height, created_at'

/** A keyset page of the organization's images, the newest first. */
export async function listImages(
  { db }: Pick<Session, 'db'>,
  { cursor, limit }: { cursor?: string; limit: number },
): Promise<{ data: EmailImage[]; next_cursor: string | null }> {
  let query = db.from('email_images').select(COLUMNS)
  if (cursor !== undefined) query = query.or(afterCursor('created_at', decodeInstantCursor(cursor), false))
  const found = await query
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(limit + 1)
  const rows = z.array(emailImageRow).parse(unwrap(found))
  const page = pageOf(rows, limit, (last) => encodeInstantCursor(last.created_at, last.id))
  return { ...page, data: page.data.map(withUrl) }
}

/**
 * Deletes an image that no design, template or brand shows.
 * @throws HttpError 404; 409 when something shows it.
 */
export async function deleteImage({ db, organization }: Caller, id: string): Promise<void> {
  const found = unwrap(await db.from('email_images').select('path').eq('id', id).maybeSingle())
  if (!found) throw new HttpError('NOT_FOUND')
  const parameters = { p_organization: organization.id, p_id: id }
  refuse(unwrap(await serviceDb().rpc('delete_email_image', parameters)), { in_use: 'IMAGE_IN_USE' })
  const { error } = await serviceDb().storage.from(BUCKET).remove([found.path])
  // The image is gone for everybody; only its file is left over.
  if (error) log().warn({ name: error.name }, 'Storage did not remove an image')
}

/**
 * Checks that the stored images of some fields are there.
 * @throws HttpError 400 at the first field with one that is not of the caller's organization.
 */
export async function checkImages(
  { db }: Pick<Session, 'db'>,
  shown: readonly { field: string; images: readonly string[] }[],
): Promise<void> {
  const paths = [...new Set(shown.flatMap(({ images }) => images))]
  if (paths.length === 0) return
  const found = unwrap(await db.from('email_images').select('path').in('path', paths)) ?? []
  const known = new Set(found.map(({ path }) => path))
  const wrong = shown.find(({ images }) => !images.every((path) => known.has(path)))
  if (wrong)
    throw invalidInput({ path: wrong.field, code: 'unknown', message: 'an image that is not stored' })
}
