import { ROLES, type Role } from '@/lib/permissions'
import { join } from '../factories/account'
import { createGroup, inviteWithToken, stackClient } from '../factories/group'
import type { Stack } from '../support/stack'
import { fillGroups } from './fill'

/** Everyone of Norte, in every location; floor staff are never. */
export const UNBOUND = ROLES.filter((role) => role !== 'sala')
/** Norte people assigned to Retiro only. */
export const BOUND = ['boundOperaciones', 'boundAdmin', 'sala'] as const
export const NORTE = [...UNBOUND, ...BOUND] as const
/**
 * Norte's people; `stranger` is super_admin of Sur; `fired` was super_admin of Norte, and is signed in, but
 * the profile is deleted; `anon` has the publishable key and no session.
 */
export const EVERYONE = [...NORTE, 'stranger', 'fired', 'anon'] as const
export type Who = (typeof EVERYONE)[number]

/** Who and what was arranged; plain JSON. */
export interface Arranged {
  /** Ids by readable name: people, organizations, locations, tiers (`Norte Oro`) and brands (`Norte brand`). */
  ids: Record<string, string>
  /** Access tokens; anon has none. */
  tokens: Partial<Record<Who, string>>
  /** Readable names by id and e-mail. */
  names: Record<string, string>
}

/** Two groups full of data and the people who try things. */
export interface Cast extends Arranged {
  stack: Stack
  /** A readable name for an id or e-mail made while arranging; anything else as text. */
  nameOf: (value: unknown) => string
}

/** Groups Norte (Retiro, Sol) and Sur (Triana), a person of each kind, and rows in every table. */
export async function arrangeCast(stack: Stack): Promise<Cast> {
  const norte = await createGroup(stack, 'Norte', [
    { name: 'Retiro', slug: 'retiro' },
    { name: 'Sol', slug: 'sol' },
  ])
  const sur = await createGroup(stack, 'Sur', [{ name: 'Triana', slug: 'triana' }])
  const ids: Record<string, string> = { Norte: norte.id, Sur: sur.id }
  for (const location of [...norte.locations, ...sur.locations]) ids[location.name] = location.id

  const tokens: Cast['tokens'] = {}
  const emails: Record<string, string> = {}
  for (const who of EVERYONE) {
    if (who === 'anon') continue
    const joined = await hire(stack, ids, who)
    ids[who] = joined.id
    emails[who] = joined.email
    tokens[who] = joined.token
  }
  const service = stackClient(stack, 'service')
  await service.from('profiles').delete().eq('id', String(ids.fired)).throwOnError()

  await fillGroups(stack, ids)
  const tiers = await service.from('loyalty_tiers').select('id, name, organization_id').throwOnError()
  for (const tier of tiers.data) {
    ids[`${tier.organization_id === norte.id ? 'Norte' : 'Sur'} ${tier.name}`] = tier.id
  }
  const brands = await service.from('brands').select('id, name').throwOnError()
  for (const brand of brands.data) ids[`${brand.name} brand`] = brand.id
  const named = [...Object.entries(ids), ...Object.entries(emails)]
  return castOn(stack, { ids, tokens, names: Object.fromEntries(named.map(([name, id]) => [id, name])) })
}

/** The cast on a stack where it was arranged, or on a copy of that database. */
export function castOn(stack: Stack, arranged: Arranged): Cast {
  return { ...arranged, stack, nameOf: (value) => arranged.names[String(value)] ?? String(value) }
}

/** Invites the person, who joins. */
async function hire(stack: Stack, ids: Record<string, string>, who: Exclude<Who, 'anon'>) {
  const email = `${who.toLowerCase()}@equipo.example`
  const options = await inviteWithToken(stackClient(stack, 'service'), {
    organization_id: String(who === 'stranger' ? ids.Sur : ids.Norte),
    email,
    full_name: who,
    role: roleOf(who),
    location_ids: (BOUND as readonly Who[]).includes(who) ? [String(ids.Retiro)] : [],
  })
  const { user, access_token } = await join(stack, stackClient(stack, 'anon'), email, options.data)
  return { id: user.id, email, token: access_token }
}

/** The role of a person of the cast. */
export function roleOf(who: Exclude<Who, 'anon'>): Role {
  if (who === 'stranger' || who === 'fired') return 'super_admin'
  if (who === 'boundAdmin') return 'admin'
  return who === 'boundOperaciones' ? 'operaciones' : who
}
