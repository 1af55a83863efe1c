/** Two records that are suggested as one person. */
export interface Pair {
  one: string
  other: string
  probability: number
}

/** How well pairs or groups meet the truth. */
export interface Agreement {
  precision: number
  recall: number
  f1: number
}

// Of the pairs between two groups so many must be likely themselves, lest one mistake chains strangers.
const SHARE = 0.1

/**
 * The name of the group of each id: likely pairs join groups, the most likely first, where at least a tenth of the pairs
 * between the two are likely as well.
 */
export function carefulGroups(pairs: readonly Pair[]): (id: string) => string {
  const groups = new Map<string, string[]>()
  const nameOf = new Map<string, string>()
  const alike = new Map<string, Set<string>>()
  const note = (one: string, other: string) => {
    const known = alike.get(one) ?? new Set()
    alike.set(one, known.add(other))
  }
  for (const { one, other } of pairs) {
    note(one, other)
    note(other, one)
  }
  const group = (id: string) => nameOf.get(id) ?? id
  const membersOf = (name: string) => groups.get(name) ?? [name]
  for (const { one, other } of pairs.toSorted((a, b) => b.probability - a.probability)) {
    const [first, second] = [group(one), group(other)]
    if (first === second) continue
    const [few, many] = [membersOf(first), membersOf(second)].sort((a, b) => a.length - b.length)
    if (!few || !many) continue
    const there = new Set(many)
    let links = 0
    for (const id of few) for (const known of alike.get(id) ?? []) if (there.has(known)) links++
    if (links < SHARE * few.length * many.length) continue
    groups.delete(second)
    groups.set(first, [...few, ...many])
    for (const id of [...few, ...many]) nameOf.set(id, first)
  }
  return group
}

/** Pairs against the truth, given as the person of each id. */
export function agreementOfPairs(truth: ReadonlyMap<string, string>, pairs: readonly Pair[]): Agreement {
  const right = pairs.filter(({ one, other }) => truth.get(one) === truth.get(other)).length
  return agreement(right, pairs.length, pairsWithin(truth.values()))
}

/** All pairs within the groups against the truth. */
export function agreementOfGroups(
  truth: ReadonlyMap<string, string>,
  groupOf: (id: string) => string,
): Agreement {
  const ids = [...truth.keys()]
  const both = ids.map((id) => `${groupOf(id)} ${truth.get(id)}`)
  return agreement(pairsWithin(both), pairsWithin(ids.map(groupOf)), pairsWithin(truth.values()))
}

function agreement(right: number, found: number, all: number): Agreement {
  return {
    precision: found === 0 ? 1 : right / found,
    recall: all === 0 ? 1 : right / all,
    f1: (2 * right) / Math.max(1, found + all),
  }
}

function pairsWithin(names: Iterable<string>): number {
  const sizes = new Map<string, number>()
  for (const name of names) sizes.set(name, (sizes.get(name) ?? 0) + 1)
  return [...sizes.values()].reduce((sum, size) => sum + (size * (size - 1)) / 2, 0)
}
