import 'server-only'
import { lacksPath } from '@/lib/auth/create-account'
import { keepHandedOver, makeResetLink } from '@/lib/auth/reset-mail'
import { linkEnds } from '@/lib/auth/reset-password'
import type { Session } from '@/lib/auth/session'
import { silenceOf } from '@/lib/db/auth-fetch'
import { unwrap } from '@/lib/db/errors'
import { env } from '@/lib/env'
import { HttpError, notFoundError, refuse } from '@/lib/http/errors'
import { NO_LINK } from './operations'
import { type PasswordLink, TEAM_REFUSALS } from './schema'

/**
 * Makes a link to a new password for a person of the team, which the caller hands over. The SQL function
 * `hand_over_link` decides who may, before the link is made and again after; only then is it shown.
 * @param origin where the caller reaches the app, for a deployment that does not know its address
 * @throws HttpError 403, 404, 409 for oneself, 501 where Auth has no admin API, 503.
 */
export async function makePasswordLink(
  { db }: Pick<Session, 'db'>,
  id: string,
  origin: string,
): Promise<PasswordLink> {
  refuse(unwrap(await db.rpc('hand_over_link', { p_member: id })), TEAM_REFUSALS)
  const [member] = unwrap(await db.rpc('list_team', { p_member: id })) ?? []
  if (!member) throw notFoundError()
  const { link, error } = await makeResetLink(member.email)
  if (error && lacksPath(error)) throw new HttpError('LINK_UNSUPPORTED')
  if (error) throw silenceOf(error, NO_LINK) ?? new HttpError('AUTH_UNAVAILABLE', { error: NO_LINK })
  // The address of the profile could have become that of another account.
  if (link.user.id !== id) throw notFoundError()
  refuse(unwrap(await db.rpc('hand_over_link', { p_member: id, p_made: true })), TEAM_REFUSALS)
  await keepHandedOver(member.email)
  return { url: `${env().PUBLIC_URL || origin}${link.path}`, expires_at: linkEnds() }
}
