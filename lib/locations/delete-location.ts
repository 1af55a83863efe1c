import 'server-only'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { refuse } from '@/lib/http/refusals'

const IN_USE = 'The location has reservations or assigned people: deactivate it instead'

/**
 * Deletes a location nothing depends on.
 * @throws HttpError 404, or 409 when it has reservations, assigned people or open invitations.
 */
export async function deleteLocation({ db }: Pick<Session, 'db'>, id: string): Promise<void> {
  const outcome = unwrap(await db.rpc('delete_location', { p_location: id }))
  refuse(outcome, { not_found: [404, 'Not found'], in_use: [409, IN_USE] })
}
