import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import { type Facts, factsSchema } from '@/lib/messaging/schema'

/**
 * Checks that the caller may see a guest.
 * @throws HttpError 404
 */
export async function checkGuest({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  const found = unwrap(await db.from('customers').select('id').eq('id', id).maybeSingle())
  if (!found) throw new HttpError('NOT_FOUND')
}

/**
 * What a message to a guest is rendered from, about their next reservation, else their last one.
 * @throws HttpError 404 when the caller may not see the guest.
 */
export async function factsOfGuest(
  session: Pick<Session, 'db' | 'organization'>,
  id: string,
  now: Date,
): Promise<Facts> {
  await checkGuest(session, id)
  const parameters = { p_organization: session.organization.id, p_customer: id, p_now: now.toISOString() }
  const facts = unwrap(await serviceDb().rpc('facts_of_guest', parameters))
  if (facts === null) throw new HttpError('NOT_FOUND')
  return factsSchema.parse(facts)
}
