import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { refuseBound } from '@/lib/auth/session'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { notFoundError } from '@/lib/http/errors'
import { imageUrl } from './address'
import { checkImages } from './images'
import { type EmailLookInput, emailLookSchema } from './look-schema'
import type { BrandLook } from './records'

const COLUMNS = 'brand_id, logo, color, button_color, sender_name, from_email, reply_to, footer'
const rowSchema = emailLookSchema.extend({ brand_id: z.string().nullable() })

const asLook = (row: z.infer<typeof rowSchema>): BrandLook => ({
  ...row,
  logo_url: row.logo && imageUrl(row.logo),
})

/** The looks of the group (`brand_id` null) and of its brands; those without one are left out. */
export async function listLooks({ db }: Pick<Session, 'db'>): Promise<BrandLook[]> {
  const found = await db
    .from('email_looks')
    .select(COLUMNS)
    .order('brand_id', { nullsFirst: true })
    .limit(1000)
  return z.array(rowSchema).parse(unwrap(found)).map(asLook)
}

/**
 * Changes the given fields of a brand's look, or of the group's (null).
 * @throws HttpError 403 for people bound to locations; 400 for a logo that is not stored; 404 for a brand that is not
 * there.
 */
export async function changeLook(
  session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>,
  brandId: string | null,
  changes: EmailLookInput,
): Promise<BrandLook> {
  await refuseBound(session)
  await checkImages(session, [{ field: 'logo', images: changes.logo ? [changes.logo] : [] }])
  const saved = await serviceDb().rpc('save_email_look', {
    p_organization: session.organization.id,
    p_brand: brandId as never,
    p_fields: changes as Json,
  })
  const [row] = z.array(rowSchema).parse(unwrap(saved))
  if (!row) throw notFoundError()
  return asLook(row)
}
