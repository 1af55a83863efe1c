import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'

/**
 * Erases a person (GDPR art. 17). The customer is deleted; their reservations stay in the statistics of the day and
 * their messages in those of the run, both without personal data. Neither comes back with a booking the PMS still
 * has; a new booking is a new customer. Suppressions stay: forgetting "do not write to me" would write to them.
 * @throws HttpError 404 when it is not there or not visible.
 */
export async function eraseCustomer({ db }: Pick<Session, 'db'>, id: string): Promise<Response> {
  const outcome = unwrap(await db.rpc('erase_customer', { p_id: id }))
  if (outcome !== 'erased') throw new HttpError(404, { error: 'Not found' })
  return new Response(null, { status: 204 })
}
