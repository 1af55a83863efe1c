import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { decodeKey, encodeKey } from '@/lib/http/key-cursor'
import { brandSchema } from '@/lib/organization/schema'

/** A keyset page of the organization's brands, by slug (unique in it). */
export async function listBrands({ db }: Pick<Session, 'db'>, page: { cursor?: string; limit: number }) {
  let query = db.from('brands').select('id, name, slug').order('slug')
  if (page.cursor !== undefined) query = query.gt('slug', decodeKey(page.cursor))
  const rows = z.array(brandSchema).parse(unwrap(await query.limit(page.limit + 1)))
  const last = rows.length > page.limit ? rows[page.limit - 1] : undefined
  return { data: rows.slice(0, page.limit), next_cursor: last ? encodeKey(last.slug) : null }
}
