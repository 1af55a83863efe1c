import 'server-only'
import { parseCookieHeader } from '@supabase/ssr'
import { env } from '@/lib/env'
import { CONFIRM, HttpError } from '@/lib/http/errors'
import { logUser } from '@/lib/log'
import { machinesNeed, type Operation } from '@/lib/openapi/operation'
import { isSameSecret } from '@/lib/secret'
import type { CookieJar } from './cookie-jar'
import { hasJustChanged } from './recent-change'
import { readStanding, type Session, type Standing } from './session'
import { isTokenRequest, readTokenSession } from './token-session'

/** The access rules of an operation. */
type Access = Pick<
  Operation,
  'auth' | 'permission' | 'roles' | 'machines' | 'errors' | 'confirm' | 'enrolling'
>

/**
 * Decides whether a request may call an operation: by the cron secret, the API token or the session cookies it carries,
 * then by permission, role and a recent code of the second factor. The database (RLS) decides which records
 * the caller may see or change.
 * @returns the session; null for `cron` and `none`, and for `optional` without one
 * @throws HttpError 401, 403; 429 for an API token beyond its limit.
 */
export async function authenticate(
  operation: Access,
  request: Request,
  cookies: CookieJar,
): Promise<Session | null> {
  const { auth, permission, roles } = operation
  if (auth === 'cron' && !hasCronSecret(request)) throw unauthorized(operation)
  if (auth === 'cron' || auth === 'none') return null
  const forbidden = () => new HttpError('FORBIDDEN')
  const byMachine = isTokenRequest(request)
  const machineNeeds = byMachine ? machinesNeed(operation) : true
  if (!machineNeeds) throw forbidden()
  const session = byMachine
    ? await readTokenSession(request)
    : personOf(await readStanding(cookies, { mayLag: mayLag(request) }), operation.enrolling)
  if (!session && auth === 'optional') return null
  if (!session) throw unauthorized(operation)
  logUser(session.user_id)
  const { role } = session
  const hasRole = !roles || (role !== 'machine' && roles.includes(role))
  const allowed =
    hasRole &&
    (!permission || session.can(permission)) &&
    (machineNeeds === true || session.can(machineNeeds))
  if (!allowed) throw forbidden()
  if (operation.confirm && !session.second_factor.confirmed)
    throw new HttpError('SECOND_FACTOR_NEEDED', { fields: CONFIRM })
  return session
}

/** Whether a request may change data: by its method, unless the operation says otherwise. */
export const changesData = ({ changes }: Pick<Operation, 'changes'>, { method }: Request): boolean =>
  changes ?? !['GET', 'HEAD'].includes(method)

/**
 * Whether lists of a request may be some seconds old: its browser has not just changed something. An export counts as a
 * change, for its line in the audit log, and may still read old rows.
 */
function mayLag({ headers, method }: Request): boolean {
  const cookies = parseCookieHeader(headers.get('cookie') ?? '')
  return ['GET', 'HEAD'].includes(method) && !hasJustChanged(cookies, headers)
}

/** The 401 of an operation, with its documented text. */
export const unauthorized = ({ errors }: Pick<Operation, 'errors'>) =>
  new HttpError('UNAUTHORIZED', { error: errors?.unauthorized })

/**
 * The person's session, unless a step of the sign-in is missing; `enrolling` admits people who must set up a factor.
 */
function personOf(standing: Standing | null, enrolling = false): Session | null {
  if (standing === null || standing.missing === 'code') return null
  return standing.missing === null || enrolling ? standing.session : null
}

/** Whether the request carries `Authorization: Bearer <CRON_SECRET>`; never when the secret is unset or empty. */
function hasCronSecret(request: Request): boolean {
  const secret = env().CRON_SECRET
  const given = request.headers.get('authorization') ?? ''
  return secret !== '' && isSameSecret(given, `Bearer ${secret}`)
}
