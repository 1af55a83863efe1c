import { PATHS } from '@/lib/api-document/paths'
import type { Operation } from '@/lib/openapi/operation'
import { can } from '@/lib/permissions'
import { BOUND, roleOf, type Who } from '../../sql/cast'
import { LOCATION_RULES } from './location-rules'
import type { Scope } from './requests'

/** Every operation of the API by its name, `GET /api/customers/{id}`. */
export const OPERATIONS: Record<string, Operation> = Object.fromEntries(
  Object.entries(PATHS).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
  ),
)

/** Which record a request names: one of a place, a colleague's own, none that there is, or a malformed id. */
type Where = Scope | 'of a colleague' | 'unknown' | 'malformed'

/** One request of a person, and the status it must get; null: any but a refusal. */
export interface Try {
  label: string
  name: string
  where: Where
  status: number | null
}

/** Whether the person works in some locations only. */
export const isBound = (who: Who) => (BOUND as readonly Who[]).includes(who)
const isOut = (who: Who) => who === 'anon' || who === 'fired'

/** Everything a person tries, with what is due to them by the operations' declarations and location rules. */
export function triesOf(who: Who): Try[] {
  return Object.entries(OPERATIONS).flatMap(([name, operation]) => {
    // Signing out would end the session that the other requests need.
    const signsOut = name.includes(' /api/auth/') && who !== 'anon'
    const scopes = refusalOf(operation, who) === null ? scopesOf(name, who) : (['own'] as const)
    const wheres: Where[] = [...(signsOut ? [] : scopes), ...idsOf(name, operation, who)]
    return wheres.map((where) => ({
      label: `${who}: ${name} (${where})`,
      name,
      where,
      status: expectedStatus(name, operation, who, where),
    }))
  })
}

/** The status of those who may not call the operation at all, wherever. */
export function refusalOf({ auth, variantAuth, permission, roles }: Operation, who: Who): number | null {
  if (auth === 'none' || auth === 'optional') return null
  if (auth === 'cron' && variantAuth !== 'session') return 401
  if (who === 'anon' || who === 'fired') return 401
  const role = roleOf(who)
  return (permission && !can(role, permission)) || (roles && !roles.includes(role)) ? 403 : null
}

function expectedStatus(name: string, operation: Operation, who: Who, where: Where): number | null {
  const refused = refusalOf(operation, who)
  if (refused !== null) return refused
  const { kind = 'answer', status = 0 } = LOCATION_RULES[name] ?? {}
  // The contract's answer to whatever is no automation.
  if (where === 'malformed') return status === 500 ? 500 : 400
  if (kind === 'everywhere' && isBound(who)) return status
  if (where === 'own') return null
  if (kind !== 'answer' && kind !== 'everywhere') return status
  return 404
}

/** Where the person asks: strangers and people without a profile have no place of their own here. */
function scopesOf(name: string, who: Who): Scope[] {
  const { kind } = LOCATION_RULES[name] ?? {}
  // The other group's brands are not there for a stranger; everything else of these has no place.
  if (kind === 'everywhere' && name.includes('{id}') && who === 'stranger') return ['own', 'other location']
  if (kind === 'answer' || kind === 'everywhere') return ['own']
  if (who === 'stranger') return ['other location']
  if (isOut(who)) return ['own']
  const foreign: Scope[] = ['own', 'other organization']
  return isBound(who) && kind !== 'group' ? [...foreign, 'other location'] : foreign
}

/** Ids that lead nowhere: one role after another tries those of its own operations. */
function idsOf(name: string, operation: Operation, who: Who): Where[] {
  if (!name.includes('{id}') || refusalOf(operation, who) !== null) return []
  const others: Where[] =
    LOCATION_RULES[name]?.kind === 'answer' && who !== COLLEAGUE ? ['of a colleague'] : []
  return isBound(who) || who === 'stranger' ? others : ['unknown', 'malformed', ...others]
}

/** Who owns the devices, sessions and changes of tags that the others try. */
export const COLLEAGUE: Who = 'marketing'
