import type { Histories, History } from '@/lib/rhythm/model'

export const DAY = 86_400_000

/** A guest as known on a day, and what happened afterwards. */
export interface Guest extends History {
  /** Why they come; empty if unknown. */
  kind: string
  /** Days from the last visit to that day. */
  silence: number
  /** Came in the hold-out. */
  came: boolean
  /** Never came again within the data; null if the data does not show it. */
  lost: boolean | null
}

/** The data of a back-test. Times in days. */
export interface Trial {
  name: string
  guests: Guest[]
  holdOut: number
}

/**
 * A guest as known on `today`, and in the hold-out after it. `days` are the days of the visits, in any order; repeated
 * days count once. Null for guests who had not come by `today`.
 */
export function guestOf(
  days: readonly number[],
  today: number,
  holdOut: number,
  kind: string | null,
): Guest | null {
  const past = days.filter((day) => day <= today)
  if (past.length === 0) return null
  const [first, last] = [Math.min(...past), Math.max(...past)]
  return {
    kind: kind ?? '',
    repeats: new Set(past).size - 1,
    recency: last - first,
    age: today - first,
    silence: today - last,
    came: days.some((day) => day > today && day <= today + holdOut),
    lost: kind ? !days.some((day) => day > today) : null,
  }
}

/** The histories of guests, equal ones counted together. */
export function historiesOf(guests: readonly History[]): Histories[] {
  const found = new Map<string, Histories>()
  for (const { repeats, recency, age } of guests) {
    const key = `${repeats} ${recency} ${age}`
    const known = found.get(key)
    if (known) known.guests++
    else found.set(key, { repeats, recency, age, guests: 1 })
  }
  return [...found.values()]
}
