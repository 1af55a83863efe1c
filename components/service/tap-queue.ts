import { DAY_MS, HOUR_MS } from '@/lib/dates'
import { confirmed } from '@/lib/reservations/questions'
import type { Party, Tap, TapAnswer, WaitingTap } from '@/lib/service/schema'
import type { WaitingParty } from '@/lib/waitlist/schema'

/** The fields of a party that taps change. */
export const tappedFields = (party: Party) => ({
  ...{ status: party.status, table_name: party.table_name, tables: party.tables },
  ...{ joined_to: party.joined_to, arrived_at: party.arrived_at },
  ...{ seated_at: party.seated_at, finished_at: party.finished_at, party_size: party.party_size },
  ...{ time: party.time, late_minutes: party.late_minutes, notes: party.notes },
})

/** Whether a tap is one of the waitlist. */
export const isOfWaitlist = (tap: Tap): tap is WaitingTap => tap.action.startsWith('wait_')

/** Fields of parties before a tap, by the id of the party. */
export type Before = Record<string, Partial<ReturnType<typeof tappedFields>>>

/** A tap that is waiting in this browser. */
export interface Waiting {
  tap: Tap
  /** For an undo: the former fields of the parties, to show them at once. */
  before?: Before
  /** For the waitlist: the party's name. */
  name?: string
  /** For the undo of its leaving: the party, to show it at once. */
  party?: WaitingParty
  /** Whether it has been sent: then it cannot be withdrawn any more, only undone. */
  sent?: boolean
  /** Whether the server took it, and no list has been read since. */
  saved?: boolean
}

/** A tap that the server refused, with the reason: `conflict`, `not_found`, the problem found, or what it asks. */
export interface Refused
  extends Pick<TapAnswer, 'outcome' | 'questions' | 'current'>,
    Pick<Waiting, 'tap' | 'before'> {
  /** The party's name when it was refused: the list of another day does not have the party. */
  name?: string | null
}

/** A refused tap, with yes to what it was asked now and before: each party of a join is asked on its own. */
export function withYes({ tap, before, name, questions = [] }: Refused): Waiting {
  const confirm = [...new Set([...(tap.confirm ?? []), ...questions.map(confirmed)])]
  return { tap: { ...tap, confirm }, before, name: name ?? undefined }
}

const REFUSED_FOR_MS = 12 * HOUR_MS
/** What the keys of all queues begin with. */
const PREFIX = 'service:'
const REFUSED = ':refused'
/** Nobody sends taps of a person who has not come back for so long. */
const KEPT_FOR_MS = 3 * DAY_MS

/**
 * The taps of one person at one location that the server has not accepted yet, in order. They are stored in this
 * browser, so that neither a lost connection nor a reload loses any.
 */
export class TapQueue {
  /** The keys of refused taps that a person dismissed: they did nothing, so there is nothing to undo. */
  private readonly dismissed = new Set<string>()

  constructor(
    private readonly key: string,
    readonly location = '',
  ) {}

  /** The taps that the last list does not show yet: those to be sent, and those that were saved after it was read. */
  read(): Waiting[] {
    return stored(this.key)
  }

  /** How many wait to be sent. */
  unsent(): number {
    return this.read().filter(({ saved }) => !saved).length
  }

  /** The keys of those that are saved: a list that is read from now on shows them. */
  saved(): string[] {
    return this.read().flatMap(({ tap, saved }) => (saved ? tap.key : []))
  }

  /** Forgets those that a list shows. */
  seen(keys: readonly string[]): void {
    if (keys.length > 0) this.write(this.read().filter(({ tap }) => !keys.includes(tap.key)))
  }

  /** The refused taps of the last twelve hours that staff have neither repeated nor dismissed. */
  refused(): Refused[] {
    const all = stored<Refused>(this.key + REFUSED)
    return all.filter(({ tap: { at } }) => !at || Date.now() - Date.parse(at) < REFUSED_FOR_MS)
  }

  add(waiting: Waiting): void {
    this.write([...this.read(), waiting])
  }

  /** Returns the next taps to send, oldest first, and marks them as sent. */
  take(limit: number): Tap[] {
    const all = this.read()
    const next = all.filter(({ saved }) => !saved).slice(0, limit)
    this.write(all.map((waiting) => (next.includes(waiting) ? { ...waiting, sent: true } : waiting)))
    return next.map(({ tap }) => tap)
  }

  /** Withdraws a tap that was never sent, or was refused. Returns false for another one, which has to be undone. */
  takeBack(key: string): boolean {
    if (this.dismissed.has(key)) return true
    const all = this.read()
    const isRefused = this.refused().some(({ tap }) => tap.key === key)
    if (!isRefused && !all.some(({ tap, sent }) => tap.key === key && !sent)) return false
    if (isRefused) this.drop(({ tap }) => tap.key === key)
    this.write(all.filter(({ tap }) => tap.key !== key))
    return true
  }

  /** Marks the taps that the server saved, and keeps the refused ones apart, with the names of their parties. */
  settle(answers: readonly TapAnswer[], parties: readonly Pick<Party, 'id' | 'name'>[]): void {
    const answered = new Map(answers.map((answer) => [answer.key, answer]))
    const all = this.read()
    const isRefused = ({ outcome }: TapAnswer) => outcome !== 'saved' && outcome !== 'repeated'
    this.write(
      all.flatMap((waiting) => {
        const answer = answered.get(waiting.tap.key)
        if (!answer) return waiting
        return isRefused(answer) ? [] : { ...waiting, saved: true }
      }),
    )
    const refused = all.flatMap(({ tap, before, name = nameIn(parties, tap) }): Refused[] => {
      const answer = answered.get(tap.key)
      if (!answer || !isRefused(answer)) return []
      const { outcome, questions, current } = answer
      return [{ tap, before, outcome, questions, current, name }]
    })
    // The undo of a refused tap has nothing to undo, and the tap is not asked for again.
    const both = [...this.refused(), ...refused]
    const undone = new Set(refused.flatMap(({ tap }) => (tap.action === 'undo' ? tap.undoes : [])))
    const isOver = ({ tap }: Refused) =>
      undone.has(tap.key) || (tap.action === 'undo' && both.some((other) => other.tap.key === tap.undoes))
    store(
      this.key + REFUSED,
      both.filter((each) => !isOver(each)),
    )
  }

  /** Forgets a refused tap, or (without a key) all that ask nothing. */
  forget(key?: string): void {
    const isGone = ({ tap, questions }: Refused) => (key ? tap.key === key : !questions)
    for (const { tap } of this.refused().filter(isGone)) this.dismissed.add(tap.key)
    this.drop(isGone)
  }

  /** Takes a refused tap again, with yes to what it was asked. */
  again(one: Refused): void {
    this.add(withYes(one))
    this.drop(({ tap }) => tap.key === one.tap.key)
  }

  private drop(isGone: (refused: Refused) => boolean): void {
    store(
      this.key + REFUSED,
      this.refused().filter((each) => !isGone(each)),
    )
  }

  private write(all: readonly Waiting[]): void {
    store(this.key, all)
  }
}

/** The queue of a person at a location. */
export const tapQueue = (person: string, location: string) =>
  new TapQueue(`${PREFIX}${person}:${location}`, location)

/** The queues of a person on this device that hold taps. */
export const queuesOf = (person: string): TapQueue[] =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(`${PREFIX}${person}:`) && !key.endsWith(REFUSED))
    .map((key) => tapQueue(person, key.slice(PREFIX.length + person.length + 1)))

/** How many taps of anybody wait on this device. */
export const unsentHere = (): number =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX) && !key.endsWith(REFUSED))
    .reduce((sum, key) => sum + new TapQueue(key).unsent(), 0)

/** Removes the taps that this browser keeps for people who have not come back for three days. */
export function sweepTaps(now = Date.now()): void {
  for (const key of Object.keys(localStorage).filter((each) => each.startsWith(PREFIX))) {
    const all = stored<Waiting>(key)
    const kept = all.filter(({ tap: { at } }) => !at || now - Date.parse(at) < KEPT_FOR_MS)
    if (kept.length < all.length) store(key, kept)
  }
}

function nameIn(parties: readonly Pick<Party, 'id' | 'name'>[], tap: Tap): string | null | undefined {
  if (tap.action === 'walk_in') return tap.customer_name
  if (isOfWaitlist(tap)) return 'name' in tap ? tap.name : null
  return parties.find(({ id }) => id === (tap.reservation_id ?? tap.of))?.name
}

function stored<T>(key: string): T[] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]')
  } catch {
    return []
  }
}

function store(key: string, all: readonly unknown[]): void {
  if (all.length === 0) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(all))
}
