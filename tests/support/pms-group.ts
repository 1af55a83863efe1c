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

const NAMES: Record<string, string> = { alfa: 'Alfa', bravo: 'Bravo', charlie: 'Charlie' }

/** Starts a simulator with three locations (Alfa, Bravo, Charlie) of a new group and connects the group to it. */
export async function startPmsGroup(
  app: Pick<TestApp, 'stack'>,
  options: { latencyMs?: number } = {},
): Promise<PmsGroup> {
  const slugs = Object.keys(NAMES)
  const shapes: Shape[] = ['external', 'mapped', 'external']
  const now = new Date()
  const world = createWorld({
    seed: 'faults',
    people: createPeople({ seed: 'faults', count: 300, slugs }),
    venues: slugs.map((slug, index) => ({
      slug,
      name: NAMES[slug] ?? slug,
      timezone: 'Europe/Madrid',
      shape: shapes[index] ?? 'external',
    })),
    now: () => now,
  })
  const pms = await startPmsSimulator({ world, apiKey: PMS_KEY, ...options })
  const group = await createGroup(
    app.stack,
    'Grupo Averías',
    slugs.map((slug) => ({ name: NAMES[slug] ?? slug, slug })),
  )
  await connectPms(app.stack, group.id, pms.url)
  return { group, pms, locationId: (slug) => group.locations.find((one) => one.slug === slug)?.id ?? '' }
}
