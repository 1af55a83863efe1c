import { FACTS } from '@/lib/customers/fact-codes'
import type { CustomerFilters } from '@/lib/customers/filters'
import type { Tier } from '@/lib/loyalty/schema'
import type { Channel } from '@/lib/messaging/schema'
import type { SegmentCondition, SegmentNode } from './schema'

/** A condition, held to its form. */
const one = (condition: SegmentCondition): SegmentCondition => condition

/** Segments to begin with. */
export const EXAMPLES = ['birthday', 'lapsed', 'allergies'] as const
export type Example = (typeof EXAMPLES)[number]

/** The tier of the example `lapsed`: Oro, or the highest there is. */
export const exampleTier = (tiers: readonly Tier[]): Tier | undefined =>
  tiers.find(({ name }) => name === 'Oro') ?? tiers.at(-1)

/** The conditions of an example. */
export function exampleDefinition(example: Example, tiers: readonly Tier[]): SegmentNode {
  const tier = exampleTier(tiers)
  const examples: Record<Example, SegmentCondition[]> = {
    birthday: [
      { field: 'birthday', is: 'this_month' },
      { field: 'consent', channel: 'whatsapp', state: 'reachable' },
    ],
    lapsed: [
      ...(tier ? [one({ field: 'tier', tiers: [tier.id] })] : []),
      { field: 'last_visit', is: 'before', days: 90 },
    ],
    allergies: [
      { field: 'facts', is: 'any', codes: [...FACTS.allergy] },
      { field: 'booking', days: 7 },
    ],
  }
  return { and: examples[example] }
}

/**
 * The filters of the customer list as conditions; null when none is set. `within` is the definition of the segment that
 * they narrow.
 */
export function definitionOfFilters(
  { search, tag, tier, location_id, segment, inactive_days, rhythm, consent }: CustomerFilters,
  tiers: readonly Tier[],
  within?: SegmentNode,
): SegmentNode | null {
  const [channel, state] = consent?.split(':') ?? []
  const rank = tiers.find(({ name }) => name === 'Oro')?.rank ?? 3
  const tierIds = tiers.filter(({ id, name }) => tier === id || tier === name).map(({ id }) => id)
  const vips = tiers.filter((each) => each.rank >= rank).map(({ id }) => id)
  const ofSegment: Record<NonNullable<typeof segment>, SegmentCondition[]> = {
    inactive: [{ field: 'last_visit', is: 'before', days: Math.max(90, inactive_days ?? 0) }],
    new: [{ field: 'created', is: 'within', days: 30 }],
    vip: vips.length > 0 ? [{ field: 'tier', tiers: vips }] : [],
    birthday: [{ field: 'birthday', is: 'next_days', days: 7 }],
    no_show: [{ field: 'no_shows', min: 1 }],
  }
  const parts: SegmentNode[] = [
    ...(within ? [within] : []),
    ...(segment ? ofSegment[segment] : []),
    ...(inactive_days && segment !== 'inactive'
      ? [one({ field: 'last_visit', is: 'before', days: inactive_days })]
      : []),
    ...(rhythm ? [one({ field: 'rhythm', is: rhythm })] : []),
    ...(tierIds.length > 0 ? [one({ field: 'tier', tiers: tierIds })] : []),
    ...(location_id ? [one({ field: 'location', locations: [location_id] })] : []),
    ...(tag ? [one({ field: 'tags', is: 'any', tags: [tag] })] : []),
    ...(channel && state
      ? [{ field: 'consent', channel: channel as Channel, state } as SegmentCondition]
      : []),
    ...(search ? [one({ field: 'search', text: search })] : []),
  ]
  return parts.length > 0 ? { and: parts } : null
}
