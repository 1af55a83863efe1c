import { describe, expect, it } from 'vitest'
import { drawBase } from '../bench/identity/spanish/base'
import { f1, judge, precision, recall } from '../bench/identity/spanish/judge'
import { type GuestRecord, KNOWLEDGE } from '../bench/identity/spanish/records'
import { drawTrapPairs } from '../bench/identity/spanish/trap-pairs'
import { TRAPS } from '../bench/identity/spanish/traps'

const base = [...drawBase({ seed: 'unit', records: 6000 })]

/** The pairs of records of different people in one circle. */
function confusablePairs(records: readonly GuestRecord[]): Map<string, number> {
  const pairs = new Map<string, number>()
  for (const circle of Map.groupBy(records, (record) => record.circle).values()) {
    const people = new Set(circle.map(({ person }) => person)).size
    const kind = circle[0]?.trap ?? ''
    pairs.set(kind, (pairs.get(kind) ?? 0) + (people * (people - 1)) / 2)
  }
  return pairs
}

describe('the generated base', () => {
  it('is the same for the same seed, and another one for another', () => {
    expect([...drawBase({ seed: 'unit', records: 6000 })]).toEqual(base)
    expect([...drawBase({ seed: 'else', records: 10 })]).not.toEqual(base.slice(0, 10))
  })

  it('fits what public.customers may hold', () => {
    const mails = base.flatMap(({ email }) => email ?? [])
    expect(new Set(mails).size).toBe(mails.length)
    expect(new Set(base.map(({ id }) => id)).size).toBe(base.length)
    for (const { id, first_name, last_name, email, phone, birth_date } of base) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(first_name ?? last_name).not.toBe(null)
      if (email) expect(email).toMatch(/^[a-z0-9._+]+@[^\s@]+\.[^\s@]+$/)
      if (phone) expect(phone).toMatch(/^\+[1-9][0-9]{5,14}$/)
      if (birth_date) expect(new Date(birth_date).toISOString().slice(0, 10)).toBe(birth_date)
    }
  })

  it('has every corruption and every trap', () => {
    const corruptions = new Set(base.flatMap((record) => record.corruptions))
    expect(corruptions.size).toBeGreaterThanOrEqual(20)
    expect(new Set(base.flatMap(({ trap }) => trap ?? []))).toEqual(new Set(TRAPS))
  })

  it('repeats a quarter of the people, each five times at most', () => {
    const sizes = [...Map.groupBy(base, ({ person }) => person).values()].map(({ length }) => length)
    const repeated = sizes.filter((size) => size > 1).length / sizes.length
    expect(repeated).toBeGreaterThan(0.22)
    expect(repeated).toBeLessThan(0.3)
    expect(Math.max(...sizes)).toBe(5)
  })

  it.each(Object.entries(KNOWLEDGE))(
    'knows as much of its guests as its habits say: %s',
    (knowledge, shares) => {
      const records = [
        ...drawBase({ seed: 'habits', records: 8000, knowledge: knowledge as keyof typeof KNOWLEDGE }),
      ]
      const share = records.filter(({ birth_date }) => birth_date).length / records.length
      expect(Math.abs(share - shares.birth)).toBeLessThan(0.05)
      for (const { phone } of records) if (phone) expect(phone).toMatch(/^\+[1-9][0-9]{5,14}$/)
    },
  )
})

it('draws as many trap pairs as asked, of every kind alike, and never one person twice', () => {
  const records = [...drawTrapPairs('unit', 2000)]
  expect(new Set(records.map(({ person }) => person)).size).toBe(records.length)
  const pairs = confusablePairs(records)
  expect([...pairs.keys()].toSorted()).toEqual([...TRAPS].toSorted())
  // The last circle of a kind may have a few pairs more.
  for (const count of pairs.values()) expect(count).toBeGreaterThanOrEqual(200)
})

describe('the judge', () => {
  const record = (id: string, person: number, more: Partial<GuestRecord> = {}): [string, GuestRecord] => [
    id,
    { ...(base[0] as GuestRecord), id, person, circle: 0, trap: null, corruptions: [], ...more },
  ]
  // One person with a, b, c; another with d; e and f are twins.
  const records = new Map([
    record('a', 1),
    record('b', 1, { corruptions: ['nickname'] }),
    record('c', 1, { corruptions: ['e-mail blank'] }),
    record('d', 2),
    record('e', 3, { circle: 9, trap: 'twins' }),
    record('f', 4, { circle: 9, trap: 'twins' }),
  ])
  const pair = (first_id: string, second_id: string, probability: number, certain = false) => ({
    first_id,
    second_id,
    probability,
    certain,
  })
  const verdict = judge(
    records,
    [pair('a', 'b', 0.999, true), pair('b', 'c', 0.9), pair('e', 'f', 0.95, true), pair('c', 'd', 0.4)],
    0.8,
    [
      ['a', 'b', 'c'],
      ['e', 'f'],
    ],
  )

  it('counts the pairs, and those of the groups that are shown', () => {
    expect(verdict.pairs).toEqual({ suggested: 3, right: 2, truth: 3 })
    expect(verdict.groups).toEqual({ suggested: 4, right: 3, truth: 3 })
    expect([precision(verdict.groups), recall(verdict.groups)]).toEqual([0.75, 1])
    expect(f1(verdict.groups)).toBeCloseTo(6 / 7)
    expect(verdict.certain).toEqual({ suggested: 2, right: 1, truth: 3 })
    expect(verdict.best.threshold).toBe(0.9)
  })

  it('says which corruption and which trap it was', () => {
    expect(verdict.byCorruption.get('nickname')).toEqual({ found: 2, all: 2 })
    expect([...verdict.byTrap]).toEqual([['twins', { suggested: 1, certain: 1 }]])
    const alone = judge(records, [pair('a', 'b', 0.9)], 0.8, [['a', 'b']])
    expect(alone.byCorruption.get('e-mail blank')).toEqual({ found: 0, all: 2 })
    expect(alone.missed.map(([one, other]) => one.id + other.id)).toEqual(['ac', 'bc'])
  })

  it('compares the probabilities with what was right', () => {
    expect(verdict.calibration.filter(({ pairs }) => pairs > 0)).toEqual([
      { from: 0, pairs: 1, right: 0, expected: 0.4 },
      { from: 0.9, pairs: 1, right: 1, expected: 0.9 },
      { from: 0.95, pairs: 1, right: 0, expected: 0.95 },
      { from: 0.999, pairs: 1, right: 1, expected: 0.999 },
    ])
  })

  it('refuses a pair that is not of the base', () => {
    expect(() => judge(records, [pair('a', 'z', 0.9)], 0.8, [])).toThrow('z')
  })
})
