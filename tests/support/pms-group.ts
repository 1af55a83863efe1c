import { connectPms, createGroup, type Group, PMS_KEY } from '../factories/group'
import { createPeople } from '../fakes/pms/people'
import { type PmsSimulator, startPmsSimulator } from '../fakes/pms/server'
import { createWorld, type Shape } from '../fakes/pms/world'
import type { TestApp } from './app'

/** A group whose locations a simulator serves. */
export interface PmsGroup {
  group: Group
  pms: PmsSimulator
  /** The location's id by its slug. */
  locationId: (slug: string) => string
}

const SHAPES: Shape[] = ['external', 'mapped', 'external']

/**
 * Starts a simulator with locations of these names (their slugs in lower case) of a new group, and connects the group.
 * @param coversPerDay guests of a location on an average day; on a Monday half as many come
 */
export async function startPmsGroup(
  app: Pick<TestApp, 'stack'>,
  names: string[],
  coversPerDay = 35,
): Promise<PmsGroup> {
  const locations = names.map((name) => ({ name, slug: name.toLowerCase() }))
  const slugs = locations.map(({ slug }) => slug)
  const now = new Date()
  const world = createWorld({
    seed: 'faults',
    people: createPeople({ seed: 'faults', count: 300, slugs }),
    venues: locations.map((location, index) => ({
      ...location,
      timezone: 'Europe/Madrid',
      shape: SHAPES[index] ?? 'external',
      coversPerDay,
    })),
    now: () => now,
  })
  const pms = await startPmsSimulator({ world, apiKey: PMS_KEY })
  const group = await createGroup(app.stack, 'Grupo Averías', locations)
  await connectPms(app.stack, group.id, pms.url)
  return { group, pms, locationId: (slug) => group.locations.find((one) => one.slug === slug)?.id ?? '' }
}
