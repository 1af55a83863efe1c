import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { refuse } from '@/lib/http/refusals'

const IN_USE = 'The brand has locations: give them another one first'

/**
 * Deletes a brand without locations.
 * @throws HttpError 404, or 409 when it has locations.
 */
export async function deleteBrand({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  const outcome = unwrap(await db.rpc('delete_brand', { p_brand: id }))
  refuse(outcome, { not_found: [404, 'Not found'], in_use: [409, IN_USE] })
}
