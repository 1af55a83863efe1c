import 'server-only'
import { randomUUID } from 'node:crypto'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { readFile } from '@/lib/http/body'
import { HttpError } from '@/lib/http/errors'
import { log } from '@/lib/log'
import { BUCKET, type Caller, COLUMNS, withUrl } from './images'
import { MAX_IMAGE_BYTES } from './limits'
import { type EmailImage, emailImageRow } from './records'

const MAX_IMAGES = 1000

/**
 * Stores an uploaded image, judged by its bytes and not by its name, and re-encoded: only its pixels are kept.
 * @throws HttpError 400 (no file, too many pixels), 409 (1,000 images), 413, 415 (not PNG, JPEG, GIF or WebP, or
 * declared as something else), 503 when Storage does not accept it.
 */
export async function uploadImage(request: Request, { db, organization }: Caller): Promise<EmailImage> {
  const { name, type, bytes } = await readFile(request, MAX_IMAGE_BYTES)
  // Only here: where sharp has no build for the platform, the images can still be listed and deleted.
  const { cleanImage, KINDS } = await import('./clean-image')
  // A browser that does not know the extension declares nothing, or bytes.
  const declared = ['', 'application/octet-stream', ...Object.values(KINDS).map((kind) => kind.type)]
  if (!declared.includes(type)) throw new HttpError('NOT_AN_IMAGE')
  const image = await cleanImage(bytes, MAX_IMAGE_BYTES)
  const count = await db.from('email_images').select('id', { count: 'exact', head: true })
  unwrap(count)
  if ((count.count ?? 0) >= MAX_IMAGES) throw new HttpError('TOO_MANY_IMAGES')
  const id = randomUUID()
  const contentType = KINDS[image.kind].type
  const path = `${organization.id}/${id}.${KINDS[image.kind].extension}`
  const { error } = await serviceDb()
    .storage.from(BUCKET)
    .upload(path, image.bytes, { contentType, cacheControl: '31536000' })
  if (error) {
    log().warn({ name: error.name, reason: error.message }, 'Storage took no image')
    throw new HttpError('STORAGE_UNAVAILABLE')
  }
  const row = {
    ...{ id, organization_id: organization.id, path, name, content_type: contentType },
    ...{ width: image.width, height: image.height, bytes: image.bytes.length },
  }
  const made = await serviceDb().from('email_images').insert(row).select(COLUMNS).single()
  return withUrl(emailImageRow.parse(unwrap(made)))
}
