import type { Party, Tap, TapAnswer } from '@/lib/service/schema'

/** The fields of a party that taps change. */
export const tappedFields = ({ status, table_name, arrived_at, seated_at, finished_at }: Party) => ({
  ...{ status, table_name, arrived_at, seated_at, finished_at },
})

/** A tap that waits in this browser. */
export interface Waiting {
  tap: Tap
  /** Of an undo: the party as it was, to show it at once. */
  before?: ReturnType<typeof tappedFields>
  /** It is on its way to the server: it cannot be taken back any more, only undone. */
  sent?: boolean
}

/** A tap that the server did not take, and why: `conflict`, `not_found`, or what it found wrong. */
export interface Refused {
  tap: Tap
  outcome: string
}

/**
 * The taps of one person at one location that the server has not taken yet, in order. They are kept in this browser:
 * neither a lost connection nor a reload loses one.
 */
export class TapQueue {
  constructor(private readonly key: string) {}

  read(): Waiting[] {
    try {
      return JSON.parse(localStorage.getItem(this.key) ?? '[]')
    } catch {
      return []
    }
  }

  add(waiting: Waiting): void {
    this.write([...this.read(), waiting])
  }

  /** The next taps to send, oldest first; from now on they count as sent. */
  take(limit: number): Tap[] {
    const all = this.read()
    this.write(all.map((waiting, index) => (index < limit ? { ...waiting, sent: true } : waiting)))
    return all.slice(0, limit).map(({ tap }) => tap)
  }

  /** Takes back a tap that was never sent. Returns false for any other: it has to be undone. */
  takeBack(key: string): boolean {
    const all = this.read()
    if (!all.some(({ tap, sent }) => tap.key === key && !sent)) return false
    this.write(all.filter(({ tap }) => tap.key !== key))
    return true
  }

  /** Forgets what the server answered. Returns what it did not take. */
  settle(answers: readonly TapAnswer[]): Refused[] {
    const outcomes = new Map(answers.map(({ key, outcome }) => [key, outcome]))
    const all = this.read()
    this.write(all.filter(({ tap }) => !outcomes.has(tap.key)))
    return all.flatMap(({ tap }) => {
      const outcome = outcomes.get(tap.key) ?? 'saved'
      return outcome === 'saved' || outcome === 'repeated' ? [] : [{ tap, outcome }]
    })
  }

  private write(all: readonly Waiting[]): void {
    if (all.length === 0) localStorage.removeItem(this.key)
    else localStorage.setItem(this.key, JSON.stringify(all))
  }
}
