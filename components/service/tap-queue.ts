import type { Party, Tap, TapAnswer } from '@/lib/service/schema'

/** The fields of a party that taps change. */
export const tappedFields = ({ status, table_name, arrived_at, seated_at, finished_at }: Party) => ({
  ...{ status, table_name, arrived_at, seated_at, finished_at },
})

/** A tap that is waiting in this browser. */
export interface Waiting {
  tap: Tap
  /** For an undo: the party's former fields, to show them at once. */
  before?: ReturnType<typeof tappedFields>
  /** Whether it has been sent: then it cannot be withdrawn any more, only undone. */
  sent?: boolean
}

/** A tap that the server refused, with the reason: `conflict`, `not_found`, the problem found, or what it asks. */
export interface Refused extends Pick<TapAnswer, 'outcome' | 'questions' | 'current'> {
  tap: Tap
}

/**
 * The taps of one person at one location that the server has not accepted yet, in order. They are stored in this
 * browser, so that neither a lost connection nor a reload loses any.
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

  /** Removes the taps that the server answered. Returns the refused ones. */
  settle(answers: readonly TapAnswer[]): Refused[] {
    const answered = new Map(answers.map((answer) => [answer.key, answer]))
    const all = this.read()
    this.write(all.filter(({ tap }) => !answered.has(tap.key)))
    return all.flatMap(({ tap }) => {
      const { outcome, questions, current } = answered.get(tap.key) ?? { outcome: 'saved' }
      return outcome === 'saved' || outcome === 'repeated' ? [] : [{ tap, outcome, questions, current }]
    })
  }

  private write(all: readonly Waiting[]): void {
    if (all.length === 0) localStorage.removeItem(this.key)
    else localStorage.setItem(this.key, JSON.stringify(all))
  }
}
