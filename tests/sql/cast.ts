import { ROLES } from '@/lib/auth/permissions'
import { createGroup, type Group, stackClient } from '../factories/group'
import type { Stack } from '../support/stack'
import { fillGroups } from './fill'

/** Everyone of Norte, in every location. */
export const UNBOUND = ROLES
/** Norte people assigned to Retiro only. */
export const BOUND = ['boundOperaciones', 'boundAdmin'] as const
export const NORTE = [...UNBOUND, ...BOUND] as const
/**
 * Norte's people; `stranger` is super_admin of Sur; `fired` was super_admin of Norte, and is signed in, but
 * the profile is deleted; `anon` has the publishable key and no session.
 */
export const EVERYONE = [...NORTE, 'stranger', 'fired', 'anon'] as const
export type Who = (typeof EVERYONE)[number]

/** Two groups full of data and the people who try things. */
export interface Cast {
  stack: Stack
  norte: Group
  sur: Group
  /** Ids by readable name: people, organizations, locations and tiers (`Norte Oro`). */
  ids: Record<string, string>
  /** Access tokens; anon has none. */
  tokens: Partial<Record<Who, string>>
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
  const service = stackClient(stack, 'service')
  for (const who of EVERYONE) {
    if (who === 'anon') continue
    const person = await hire(norte, sur, who)
    const { data } = await person.db.auth.getSession()
    ids[who] = person.id
    emails[who] = person.email
    tokens[who] = data.session?.access_token
    await service.from('profiles').update({ full_name: who }).eq('id', person.id).throwOnError()
  }
  await service.from('profiles').delete().eq('id', String(ids.fired)).throwOnError()

  await fillGroups(stack, ids)
  const tiers = await service.from('loyalty_tiers').select('id, name, organization_id').throwOnError()
  for (const tier of tiers.data) {
    ids[`${tier.organization_id === norte.id ? 'Norte' : 'Sur'} ${tier.name}`] = tier.id
  }
  const names = new Map([...Object.entries(ids), ...Object.entries(emails)].map(([name, id]) => [id, name]))
  return { stack, norte, sur, ids, tokens, nameOf: (value) => names.get(String(value)) ?? String(value) }
}

function hire(norte: Group, sur: Group, who: Exclude<Who, 'anon'>) {
  const retiro = norte.locations.filter(({ name }) => name === 'Retiro').map(({ id }) => id)
  if (who === 'stranger') return sur.person('super_admin')
  if (who === 'fired') return norte.person('super_admin')
  if (who === 'boundOperaciones') return norte.person('operaciones', retiro)
  if (who === 'boundAdmin') return norte.person('admin', retiro)
  return norte.person(who)
}
