import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ConditionDraft,
  conditionOf,
  conditionsIn,
  definitionOf,
  depthOf,
  draftOf,
  FIELDS,
  newCondition,
  newGroup,
  nextKey,
} from '@/components/segments/draft'
import { FACT_CODES } from '@/lib/customers/fact-codes'
import { customerFilters } from '@/lib/customers/filters'
import { definitionOfFilters, EXAMPLES, exampleDefinition } from '@/lib/segments/proposals'
import { conditionsOf, segmentDefinition, shownDefinition } from '@/lib/segments/schema'
import { drawnGuests, drawnSegments } from '../support/drawn-segments'
import { belongs, type OracleGuest } from '../support/segment-oracle'

const IDS = ['a', 'b', 'c'].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`)
const NOW = new Date('2027-02-25T23:30:00Z')
const WORLD = {
  now: NOW,
  timeZone: 'Europe/Madrid',
  language: 'es' as const,
  averages: {},
  optedOut: new Set<string>(),
  cuts: null,
  campaigns: { [IDS[0] ?? '']: IDS },
}
const TIERS = ['Bronce', 'Plata', 'Oro'].map((name, rank) => ({
  ...{ id: IDS[rank] ?? '', name, rank },
  points_multiplier: 1,
}))

describe('the form of a segment', () => {
  it('says what the definition says, in both languages’ numbers', () => {
    const guests = fc
      .sample(drawnGuests(IDS, IDS, IDS, NOW), { numRuns: 60, seed: 1 })
      .map((guest, n): OracleGuest => ({ ...guest, email: `g${n}@correo.example`, phone: null }))
    for (const definition of fc.sample(drawnSegments(IDS, IDS, IDS, IDS), { numRuns: 200, seed: 1 }))
      for (const locale of ['es', 'en']) {
        const draft = draftOf(definition, locale)
        const again = definitionOf(draft, locale)
        expect(again && segmentDefinition.safeParse(again).success, JSON.stringify(definition)).toBe(true)
        if (!again) continue
        expect(conditionsIn(draft)).toBe(conditionsOf(definition).length)
        const found = (asked: typeof definition) =>
          guests.filter((guest) => belongs(guest, asked, WORLD)).map(({ email }) => email)
        expect(found(again), JSON.stringify({ definition, again })).toEqual(found(definition))
      }
  })

  it('offers every field, and has no definition while a value is missing', () => {
    const known = new Set(
      conditionsOf({ and: fc.sample(drawnSegments(IDS, IDS, IDS, IDS), { numRuns: 500, seed: 2 }) }).map(
        ({ field }) => field,
      ),
    )
    // The form has these as ways of a birthday.
    expect([...FIELDS, 'birthday_within', 'birthday_month'].sort()).toEqual([...known].sort())
    const complete = FIELDS.filter((field) => conditionOf(newCondition(1, field), 'es') !== null)
    expect(complete).toEqual(['rhythm', 'birthday', 'consent', 'received', 'opened', 'clicked'])
    const group = { ...newGroup(1), parts: [newCondition(2, 'consent'), newCondition(3, 'points')] }
    expect(definitionOf(group, 'es')).toBeNull()
    expect(definitionOf(newGroup(1), 'es')).toBeNull()
    expect(nextKey(group)).toBe(4)
  })

  it.each(['x', '-1', '1.23', '1e3', '12345678901'])('takes no number of %s', (min) => {
    expect(conditionOf({ ...newCondition(1, 'points'), min }, 'es')).toBeNull()
  })

  it('shows what is broken in its place, and is complete once it is written again or removed', () => {
    const draft = draftOf({ and: [{ broken: true }, { not: { field: 'points', broken: true } }] }, 'es')
    const [first, second] = draft.parts as ConditionDraft[]
    expect(draft.parts).toMatchObject([{ broken: true }, { field: 'points', negated: true, broken: true }])
    expect(
      definitionOf({ ...draft, parts: [newCondition(9, 'consent'), first as ConditionDraft] }, 'es'),
    ).toBeNull()
    const mended = { ...(second as ConditionDraft), min: '5', broken: false }
    expect(definitionOf({ ...draft, parts: [mended] }, 'es')).toEqual({
      and: [{ not: { field: 'points', min: 5 } }],
    })
  })

  it('counts groups and denials as the API does', () => {
    const deep = {
      not: { and: [{ or: [{ not: { field: 'consent', channel: 'sms', state: 'none' } }] }] },
    } as const
    expect(depthOf(draftOf(deep as never, 'es'))).toBe(4)
  })
})

describe('a stored definition that is too much', () => {
  const one = { field: 'consent', channel: 'sms', state: 'none' }
  const deep = (groups: number): object => (groups === 0 ? one : { not: deep(groups - 1) })
  it.each([
    ['a group of 51', { and: Array(51).fill({}) }, { broken: true }],
    ['52 conditions', { and: Array(2).fill({ or: Array(26).fill(one) }) }, { broken: true }],
    [
      'six groups deep',
      { or: [one, deep(5)] },
      { or: [one, { not: { not: { not: { not: { broken: true } } } } }] },
    ],
  ])('is broken where it is: %s', (_, stored, shown) => {
    expect(shownDefinition(stored)).toEqual(shown)
  })
})

describe('what a new segment begins with', () => {
  it.each(EXAMPLES)('the example %s is a definition', (example) => {
    for (const tiers of [TIERS, []])
      expect(segmentDefinition.safeParse(exampleDefinition(example, tiers)).success).toBe(true)
  })

  it('the filters of the list, all of them', () => {
    const filters = customerFilters.parse({
      ...{ search: 'ana', tag: 'vip', tier: 'Plata', location_id: IDS[0], segment: 'vip', inactive_days: 30 },
      ...{ rhythm: 'at_risk', consent: 'sms:reachable' },
    })
    const within = { field: 'facts', is: 'any', codes: [FACT_CODES[0]] } as const
    const definition = definitionOfFilters(filters, TIERS, within as never)
    expect(segmentDefinition.parse(definition)).toEqual({
      and: [
        within,
        { field: 'tier', tiers: [IDS[2]] },
        { field: 'last_visit', is: 'before', days: 30 },
        { field: 'rhythm', is: 'at_risk' },
        { field: 'tier', tiers: [IDS[1]] },
        { field: 'location', locations: [IDS[0]] },
        { field: 'tags', is: 'any', tags: ['vip'] },
        { field: 'consent', channel: 'sms', state: 'reachable' },
        { field: 'search', text: 'ana' },
      ],
    })
    expect(definitionOfFilters({}, TIERS)).toBeNull()
  })
})
