import { createGroup } from '../factories/group'
import { createAutomation, noQuietHours } from '../factories/messaging'
import type { Stack } from '../support/stack'
import type { Lab, LabGroup } from './settings'

/** Makes the lab's group, with its people, loyalty rules, automations and segment; guests come later. */
export async function makeLabGroup(stack: Stack, locations: number): Promise<LabGroup> {
  const group = await createGroup(
    stack,
    'Grupo Millón',
    Array.from({ length: locations }, (_, n) => ({
      name: `Casa ${String(n + 1).padStart(3, '0')}`,
      slug: `casa-${n + 1}`,
      averageSpend: 26 + (n % 12),
    })),
  )
  const ids = group.locations.map(({ id }) => id)
  const roles = [
    ['super_admin', []],
    ['admin', []],
    ['marketing', []],
    ['operaciones', []],
    ['operaciones', ids.slice(0, 1)],
    ['sala', ids.slice(0, 1)],
  ] as const
  const people: Lab['people'] = []
  for (const [role, bound] of roles) {
    const { id, email } = await group.person(role, [...bound])
    people.push({ role, id, email, bound: bound.length > 0 })
  }
  await noQuietHours(stack)
  await stack.sql('select private.start_rules(array(select id from public.locations))')
  await stack.sql(
    `update public.locations set known_from = current_date - 1200, known_until = current_date + 30, synced_at = now()`,
  )
  const body = 'Hola, {{ first_name }}: te esperamos en {{ location_name }}.'
  const [segment] = await stack.sql<{ id: string }>(
    `insert into public.segments (organization_id, name, shared, owner_id, definition)
     values ($1, 'Boletín', true, $2, $3) returning id`,
    [group.id, people[0]?.id, JSON.stringify({ and: [{ field: 'tags', is: 'any', tags: ['boletin'] }] })],
  )
  const automation = await createAutomation(stack, group.id, {
    type: 'vip_reward',
    name: 'Boletín a tres de cada cinco',
    criteria: { min_spend: 0 },
    tags: ['boletin'],
    control_share: 0,
    body,
  })
  const past = await createAutomation(stack, group.id, {
    type: 'reengagement',
    name: 'Te echamos de menos',
    status: 'inactive',
    body,
  })
  return {
    organization: group.id,
    locations: group.locations.map(({ id, name }) => ({ id, name })),
    people,
    automation,
    segment: segment?.id ?? '',
    past,
  }
}
