import { HOUR_MS } from '@/lib/dates'
import type { Party, Tap, TapAnswer, WaitingTap } from '@/lib/service/schema'

/** The fields of a party that taps change. */
export const tappedFields = (party: Party) => ({
  ...{ status: party.status, table_name: party.table_name, arrived_at: party.arrived_at },
  ...{ seated_at: party.seated_at, finished_at: party.finished_at, party_size: party.party_size },
  ...{ time: party.time, late_minutes: party.late_minutes, notes: party.notes },
})

/** Whether a tap is one of the waitlist. */
export const isOfWaitlist = (tap: Tap): tap is WaitingTap => tap.action.startsWith('wait_')

/** A tap that is waiting in this browser. */
export interface Waiting {
  tap: Tap
  /** For an undo: the party's former fields, to show them at once. */
  before?: ReturnType<typeof tappedFields>
  /** For the waitlist: the party's name. */
  name?: string
  /** Whether it has been sent: then it cannot be withdrawn any more, only undone. */
  sent?: boolean
}

/** A tap that the server refused, with the reason: `conflict`, `not_found`, the problem found, or what it asks. */
export interface Refused
  extends Pick<TapAnswer, 'outcome' | 'questions' | 'current'>,
    Pick<Waiting, 'tap' | 'before'> {
  /** The party's name when it was refused: the list of another day does not have the party. */
  name?: string | null
}

const REFUSED_FOR_MS = 12 * HOUR_MS

/**
 * The taps of one person at one location that the server has not accepted yet, in order. They are stored in this
 * browser, so that neither a lost connection nor a reload loses any.
 */
export class TapQueue {
  constructor(private readonly key: string) {}

  read(): Waiting[] {
    return stored(this.key)
  }

  /** The refused taps of the last twelve hours that staff have neither repeated nor dismissed. */
  refused(): Refused[] {
    const all = stored<Refused>(`${this.key}:refused`)
    return all.filter(({ tap: { at } }) => !at || Date.now() - Date.parse(at) < REFUSED_FOR_MS)
  }

  add(waiting: Waiting): void {
    this.write([...this.read(), waiting])
  }

  /** Returns the next taps to send, oldest first, and marks them as sent. */
  take(limit: number): Tap[] {
    const all = this.read()
    this.write(all.map((waiting, index) => (index < limit ? { ...waiting, sent: true } : waiting)))
    return all.slice(0, limit).map(({ tap }) => tap)
  }

  /** Withdraws a tap that was never sent. Returns false for a sent one, which has to be undone. */
  takeBack(key: string): boolean {
    const all = this.read()
    if (!all.some(({ tap, sent }) => tap.key === key && !sent)) return false
    this.write(all.filter(({ tap }) => tap.key !== key))
    return true
  }

  /** Removes the taps that the server answered, and keeps the refused ones apart, with the names of their parties. */
  settle(answers: readonly TapAnswer[], parties: readonly Pick<Party, 'id' | 'name'>[]): void {
    const answered = new Map(answers.map((answer) => [answer.key, answer]))
    const all = this.read()
    this.write(all.filter(({ tap }) => !answered.has(tap.key)))
    const refused = all.flatMap(({ tap, before, name = nameIn(parties, tap) }): Refused[] => {
      const { outcome, questions, current } = answered.get(tap.key) ?? { outcome: 'saved' }
      return outcome === 'saved' || outcome === 'repeated'
        ? []
        : [{ tap, before, outcome, questions, current, name }]
    })
    store(`${this.key}:refused`, [...this.refused(), ...refused])
  }

  /** Forgets a refused tap, or (without a key) all that ask nothing. */
  forget(key?: string): void {
    const kept = this.refused().filter(({ tap, questions }) => (key ? tap.key !== key : questions))
    store(`${this.key}:refused`, kept)
  }

  private write(all: readonly Waiting[]): void {
    store(this.key, all)
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
