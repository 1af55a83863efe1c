import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { refuseBound } from '@/lib/auth/session'
import type { Json } from '@/lib/db/database.types'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError, notFoundError } from '@/lib/http/errors'
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
 * @throws HttpError 403 for who is bound to locations, and for other addresses without canViewSettings; 400 for a logo
 * that is not stored; 404 for a brand that is not there.
 */
export async function changeLook(
  session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role' | 'can'>,
  brandId: string | null,
  given: EmailLookInput,
): Promise<BrandLook> {
  await refuseBound(session)
  const changes = session.can('canViewSettings') ? given : await withoutAddresses(session, brandId, given)
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

/**
 * What remains of the changes without the addresses: whom e-mails are from, and who gets the answers, are settings. As
 * stored they may be given, and are left out: a setting changed meanwhile stays.
 * @throws HttpError 403 for another address.
 */
async function withoutAddresses(
  { db }: Pick<Session, 'db'>,
  brandId: string | null,
  { from_email, reply_to, ...others }: EmailLookInput,
): Promise<EmailLookInput> {
  if (from_email === undefined && reply_to === undefined) return others
  const found = await db
    .from('email_looks')
    .select('from_email, reply_to')
    .filter('brand_id', brandId ? 'eq' : 'is', brandId)
    .maybeSingle()
  const stored = unwrap(found) ?? { from_email: null, reply_to: null }
  const isStored = (address: string | null | undefined, now: string | null) =>
    address === undefined || address === now
  if (!isStored(from_email, stored.from_email) || !isStored(reply_to, stored.reply_to))
    throw new HttpError('FORBIDDEN')
  return others
}
