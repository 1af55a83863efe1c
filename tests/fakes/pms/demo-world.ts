import { DEMO_PEOPLE, DEMO_VENUES } from './demo-venues'
import { createPeople } from './people'
import { createWorld, type World } from './world'

/** The demo's five venues with their guests; `scale` (default 1) multiplies people and reservations alike. */
export function createDemoWorld(options: {
  seed: string
  now: () => Date
  scale?: number
  hideFutureWalkIns?: boolean
  hideUnmade?: boolean
}): World {
  const { seed, scale = 1 } = options
  const slugs = DEMO_VENUES.map((venue) => venue.slug)
  const people = createPeople({ seed, count: Math.max(1, Math.round(DEMO_PEOPLE * scale)), slugs })
  return createWorld({ ...options, venues: DEMO_VENUES, people })
}
