import 'server-only'
import { randomUUID } from 'node:crypto'
import { disableTypes, imageSize, types } from 'image-size'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { readFile } from '@/lib/http/body'
import { afterCursor, pageOf } from '@/lib/http/cursor'
import { HttpError, invalidInput, refuse } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import { log } from '@/lib/log'
import { imageUrl } from './address'
import { type EmailImage, emailImageRow, MAX_IMAGE_BYTES } from './records'

const BUCKET = 'email-images'
const MAX_IMAGES = 1000
const MAX_PIXELS = { side: 6000, all: 24_000_000 }

// The kinds that mail programs show. The others, among them SVG, are not even looked for.
const KINDS = {
  png: { extension: 'png', type: 'image/png' },
  jpg: { extension: 'jpg', type: 'image/jpeg' },
  gif: { extension: 'gif', type: 'image/gif' },
  webp: { extension: 'webp', type: 'image/webp' },
} as const
disableTypes(types.filter((type) => !(type in KINDS)))

type Caller = Pick<Session, 'db' | 'organization'>

const withUrl = (row: z.infer<typeof emailImageRow>): EmailImage => ({ ...row, url: imageUrl(row.path) })
const COLUMNS = 'id, path, name, content_type, bytes, width, height, created_at'

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
 * Stores an uploaded image, judged by its bytes and not by its name.
 * @throws HttpError 400 (no file, too many pixels), 409 (1,000 images), 413, 415 (not PNG, JPEG, GIF or WebP), 503 when
 * Storage does not accept it.
 */
export async function uploadImage(request: Request, { db, organization }: Caller): Promise<EmailImage> {
  const { name, bytes } = await readFile(request, MAX_IMAGE_BYTES)
  const { kind, width, height } = measured(bytes)
  const count = await db.from('email_images').select('id', { count: 'exact', head: true })
  unwrap(count)
  if ((count.count ?? 0) >= MAX_IMAGES) throw new HttpError('TOO_MANY_IMAGES')
  const id = randomUUID()
  const path = `${organization.id}/${id}.${KINDS[kind].extension}`
  const { error } = await serviceDb()
    .storage.from(BUCKET)
    .upload(path, bytes, { contentType: KINDS[kind].type, cacheControl: '31536000' })
  if (error) {
    log().warn({ name: error.name, reason: error.message }, 'Storage took no image')
    throw new HttpError('STORAGE_UNAVAILABLE')
  }
  const row = {
    ...{ id, organization_id: organization.id, path, name, width, height },
    ...{ content_type: KINDS[kind].type, bytes: bytes.length },
  }
  const made = await serviceDb().from('email_images').insert(row).select(COLUMNS).single()
  return withUrl(emailImageRow.parse(unwrap(made)))
}

function measured(bytes: Uint8Array): { kind: keyof typeof KINDS; width: number; height: number } {
  let size: ReturnType<typeof imageSize>
  try {
    size = imageSize(bytes)
  } catch {
    throw new HttpError('NOT_AN_IMAGE')
  }
  const { type, width, height } = size
  if (!type || !(type in KINDS)) throw new HttpError('NOT_AN_IMAGE')
  const fits = Math.max(width, height) <= MAX_PIXELS.side && width * height <= MAX_PIXELS.all
  if (!fits || width < 1 || height < 1) throw new HttpError('IMAGE_TOO_LARGE')
  return { kind: type as keyof typeof KINDS, width, height }
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
 * Checks that stored images are there.
 * @throws HttpError 400 at `path` when one is not of the caller's organization.
 */
export async function checkImages(
  { db }: Pick<Session, 'db'>,
  paths: readonly string[],
  path = 'email_design',
): Promise<void> {
  if (paths.length === 0) return
  const found = unwrap(await db.from('email_images').select('path').in('path', paths)) ?? []
  if (found.length < paths.length)
    throw invalidInput({ path, code: 'unknown', message: 'an image that is not stored' })
}
