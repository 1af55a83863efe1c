/** A seeded source of randomness: the same seed gives the same sequence on every machine. */
export interface Random {
  /** A number in [0, 1). */
  next(): number
  /** An integer from min to max, both included. */
  int(min: number, max: number): number
  /** True with the given probability (0 to 1). */
  chance(probability: number): boolean
  /** One item, all equally likely. Throws RangeError for an empty list. */
  pick<T>(items: readonly T[]): T
  /** One value of `[value, weight]` pairs. Throws RangeError for an empty list. */
  weighted<T>(items: readonly (readonly [T, number])[]): T
}

/** 32-bit unsigned hash of a text (FNV-1a with a final mix). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Creates a generator (mulberry32) from a text seed. */
export function createRandom(seed: string): Random {
  let state = hashText(seed)

  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  function int(min: number, max: number): number {
    return min + Math.floor(next() * (max - min + 1))
  }

  function pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('pick() needs at least one item')
    return items[int(0, items.length - 1)] as T
  }

  function weighted<T>(items: readonly (readonly [T, number])[]): T {
    const last = items.at(-1)
    if (!last) throw new RangeError('weighted() needs at least one item')
    let rest = next() * items.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [value, weight] of items) {
      rest -= weight
      if (rest < 0) return value
    }
    return last[0]
  }

  return { next, int, pick, weighted, chance: (probability) => next() < probability }
}
