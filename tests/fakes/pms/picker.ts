import type { Person } from './people'
import type { Random } from './random'

/** People with running sums of their weights at one venue. */
export interface Picker {
  people: readonly Person[]
  sums: Float64Array
}

const AWAY = 0.03
const TRIES = 6

/** Prepares drawing guests of one venue: people at home there by frequency, the others now and then. */
export function createPicker(people: readonly Person[], slug: string): Picker {
  const sums = new Float64Array(people.length)
  let sum = 0
  people.forEach((person, index) => {
    sum += person.homeSlug === slug ? person.frequency : person.frequency * AWAY
    sums[index] = sum
  })
  return { people, sums }
}

/**
 * The guest of a reservation, or null for an unknown walk-in. Avoids people in `seen` (`shift|person id`), so
 * that no person sits at two tables at once, and adds the one chosen.
 */
export function pickGuest(
  random: Random,
  picker: Picker,
  walkIn: boolean,
  seen: Set<string>,
  shift: string,
): Person | null {
  if (picker.people.length === 0) return null
  if (walkIn && random.chance(0.6)) return null
  let person = draw(random, picker)
  for (let i = 1; i < TRIES && seen.has(`${shift}|${person?.id}`); i++) person = draw(random, picker)
  seen.add(`${shift}|${person?.id}`)
  return person
}

function draw(random: Random, { people, sums }: Picker): Person | null {
  const target = random.next() * (sums.at(-1) ?? 0)
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] ?? 0) <= target) low = middle + 1
    else high = middle
  }
  return people[low] ?? null
}
