import type { GuestRecord } from './records'

/** A pair that the model suggests, as in public.identity_pairs. */
export interface SuggestedPair {
  first_id: string
  second_id: string
  probability: number
  certain: boolean
}

/** What became of a set of pairs: how many are suggested, how many of those are one person, and how many there are. */
export interface Score {
  suggested: number
  right: number
  truth: number
}

export const precision = ({ suggested, right }: Score) => (suggested === 0 ? 1 : right / suggested)
export const recall = ({ right, truth }: Score) => (truth === 0 ? 1 : right / truth)
export function f1(score: Score): number {
  const [p, r] = [precision(score), recall(score)]
  return p + r === 0 ? 0 : (2 * p * r) / (p + r)
}

interface Wrong {
  one: GuestRecord
  other: GuestRecord
  probability: number
  certain: boolean
}

export interface Verdict {
  /** The pairs themselves. */
  pairs: Score
  /** The pairs within the groups that the duplicates page shows. */
  groups: Score
  certain: Score
  /** The best F1 of the pairs over all thresholds, and where. */
  best: { f1: number; threshold: number }
  /** Of the pairs of one person where a record has the corruption: how many are in one group, how many there are. */
  byCorruption: Map<string, { found: number; all: number }>
  /** Pairs of two people that are suggested, and called certain, by what confuses them. */
  byTrap: Map<string, { suggested: number; certain: number }>
  calibration: { from: number; pairs: number; right: number; expected: number }[]
  missed: [GuestRecord, GuestRecord][]
  wrong: Wrong[]
}

const BINS = [0, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999]

/** Compares what a model suggests, and the groups shown, with the truth. Pairs below `likely` count for the best threshold only. */
export function judge(
  records: ReadonlyMap<string, GuestRecord>,
  suggestions: readonly SuggestedPair[],
  likely: number,
  shownGroups: readonly string[][],
): Verdict {
  const people = Map.groupBy(records.values(), ({ person }) => person)
  let truth = 0
  for (const { length } of people.values()) truth += (length * (length - 1)) / 2
  const known = (id: string): GuestRecord => {
    const record = records.get(id)
    if (!record) throw new Error(`A pair has ${id}, which is no record of the base`)
    return record
  }
  const rated = suggestions
    .map((pair) => ({ one: known(pair.first_id), other: known(pair.second_id), ...pair }))
    .toSorted((a, b) => b.probability - a.probability)
  const isRight = ({ one, other }: Wrong) => one.person === other.person
  const scoreOf = (pairs: typeof rated): Score => ({
    suggested: pairs.length,
    right: pairs.filter(isRight).length,
    truth,
  })
  const shown = rated.filter(({ probability }) => probability >= likely)
  const groups = new Map(shownGroups.flatMap((ids) => ids.map((id) => [id, ids[0] ?? id] as const)))
  const groupOf = (id: string) => groups.get(id) ?? id
  const byCorruption = new Map<string, { found: number; all: number }>()
  const missed: [GuestRecord, GuestRecord][] = []
  let together = 0
  for (const [one, other] of pairsOf(people.values())) {
    const found = groupOf(one.id) === groupOf(other.id)
    if (found) together++
    else missed.push([one, other])
    for (const kind of new Set([...one.corruptions, ...other.corruptions])) {
      const count = byCorruption.get(kind) ?? { found: 0, all: 0 }
      byCorruption.set(kind, { found: count.found + Number(found), all: count.all + 1 })
    }
  }
  const sizes = new Map<string, number>()
  for (const id of records.keys()) sizes.set(groupOf(id), (sizes.get(groupOf(id)) ?? 0) + 1)
  let chained = 0
  for (const size of sizes.values()) chained += (size * (size - 1)) / 2
  const wrong = shown.filter((pair) => !isRight(pair))
  const byTrap = new Map<string, { suggested: number; certain: number }>()
  for (const { one, other, certain } of wrong) {
    const kind = confusion(one, other)
    const count = byTrap.get(kind) ?? { suggested: 0, certain: 0 }
    byTrap.set(kind, { suggested: count.suggested + 1, certain: count.certain + Number(certain) })
  }
  return {
    pairs: scoreOf(shown),
    groups: { suggested: chained, right: together, truth },
    certain: scoreOf(rated.filter(({ certain }) => certain)),
    best: bestThreshold(
      rated.map((pair) => ({ probability: pair.probability, right: isRight(pair) })),
      truth,
    ),
    byCorruption,
    byTrap,
    calibration: BINS.map((from, place) => {
      const within = rated.filter(
        ({ probability }) => probability >= from && probability < (BINS[place + 1] ?? 2),
      )
      const expected = within.reduce((sum, { probability }) => sum + probability, 0)
      return { from, pairs: within.length, right: within.filter(isRight).length, expected }
    }),
    missed,
    wrong,
  }
}

/** Why two people were taken for one: the circle they are in, or none. */
export function confusion(one: GuestRecord, other: GuestRecord): string {
  return one.circle !== 0 && one.circle === other.circle ? (one.trap ?? '') : 'strangers'
}

function* pairsOf(people: Iterable<GuestRecord[]>): Generator<[GuestRecord, GuestRecord]> {
  for (const records of people)
    for (const [place, one] of records.entries())
      for (const other of records.slice(place + 1)) yield [one, other]
}

function bestThreshold(
  rated: readonly { probability: number; right: boolean }[],
  truth: number,
): { f1: number; threshold: number } {
  let best = { f1: 0, threshold: 1 }
  let right = 0
  for (const [place, pair] of rated.entries()) {
    right += Number(pair.right)
    if (rated[place + 1]?.probability === pair.probability) continue
    const at = f1({ suggested: place + 1, right, truth })
    if (at > best.f1) best = { f1: at, threshold: pair.probability }
  }
  return best
}
