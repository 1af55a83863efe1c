import { createRandom } from '../../../fakes/pms/random'
import { recordOf } from './base'
import { type Guest, Registry } from './guests'
import { draftOf, type GuestRecord, KNOWLEDGE, recordId } from './records'
import { drawCircle, TRAPS } from './traps'

/**
 * Draws pairs of different people who are easily confused, each kind equally often, as records one after another: those
 * of one circle in a row. A couple is one pair, a company of five is ten. Ends when there are so many pairs.
 */
export function* drawTrapPairs(seed: string, pairs: number): Generator<GuestRecord> {
  const random = createRandom(`${seed}/traps`)
  const registry = new Registry()
  const taken = new Set<string>()
  const left = new Map(TRAPS.map((trap) => [trap, Math.ceil(pairs / TRAPS.length)]))
  let made = 0
  for (let circle = 1; left.size > 0; circle++) {
    const trap = random.pick([...left.keys()])
    const { guests, shows } = drawCircle(random, registry, trap)
    const knowledge = KNOWLEDGE[random.pick(['restaurants', 'club', 'telephone'] as const)]
    for (const guest of guests) {
      const draft = draftOf(random, guest, knowledge)
      if (shows === 'birth') draft.birth = guest.birth
      if (shows === 'second surname') draft.surnames = [...guest.surnames]
      made++
      const record = recordOf(random, guest, draft, [], 0)
      yield {
        ...record,
        id: recordId(`${seed}/traps`, made),
        circle,
        trap,
        email: unique(record.email, guest, taken),
      }
    }
    const rest = (left.get(trap) ?? 0) - (guests.length * (guests.length - 1)) / 2
    if (rest > 0) left.set(trap, rest)
    else left.delete(trap)
  }
}

function unique(email: string | null, { person }: Guest, taken: Set<string>): string | null {
  if (!email) return null
  const free = taken.has(email) ? email.replace('@', `+${person}@`) : email
  taken.add(free)
  return free
}
