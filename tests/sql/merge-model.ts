/** The tiers by spend, all from one visit on. */
export const MERGE_RULES = {
  Bronce: { min_spend: 0, min_visits: 1 },
  Plata: { min_spend: 75, min_visits: 1 },
  Oro: { min_spend: 200, min_visits: 1 },
}
const TIERS = Object.keys(MERGE_RULES)
const SPENDS = Object.values(MERGE_RULES).map(({ min_spend }) => min_spend)

export const FIELDS = ['company', 'notes', 'address'] as const
export type Field = (typeof FIELDS)[number]
const TAKEN = [...FIELDS, 'email'] as const
type Single = Record<Field | 'email', string | null>
type Facts = Map<string, { note: string | null; change: number }>

/** A guest as they should be stored. Shares no code with the SQL. */
interface Guest extends Single {
  tags: Set<string>
  facts: Facts
  tier: number
  /** What staff adjusted, entry by entry. */
  points: { value: number }[]
}
interface Booking {
  owner: string
  amount: number
  visited: boolean
}
interface Merge {
  id: string
  kept: string
  gone: string
  at: number
  before: Guest
  after: Guest
  lost: Guest
  bookings: number[]
  emails: string[]
  /** Merges into the one who was merged. */
  carried: Merge[]
  undone: boolean
}

const copy = (guest: Guest): Guest => ({
  ...guest,
  tags: new Set(guest.tags),
  facts: new Map(guest.facts),
  points: [...guest.points],
})

/** Guests, merges and undos, in plain objects: what a group should hold after each step. */
export class MergeModel {
  readonly guests = new Map<string, Guest>()
  readonly bookings: Booking[] = []
  readonly merges: Merge[] = []
  /** Which guest a booking under an e-mail is of. */
  readonly mailboxes = new Map<string, string>()
  /** Addresses that opted out, and when. */
  readonly optedOut = new Map<string, number>()
  private time = 0

  add(id: string, email: string): void {
    const blank = { company: null, notes: null, address: null }
    const empty = { tags: new Set<string>(), facts: new Map(), tier: -1, points: [] }
    this.guests.set(id, { ...blank, email, ...empty })
    this.mailboxes.set(email, id)
  }

  guest(id: string): Guest {
    const found = this.guests.get(id)
    if (!found) throw new Error(`no guest ${id} in the model`)
    return found
  }

  /** A new booking, or one that is another guest's or has another amount from now on. */
  book(n: number, booking: Booking): void {
    const former = this.bookings[n]?.owner
    this.bookings[n] = booking
    this.raise(booking.owner)
    if (former) this.raise(former)
  }

  edit(id: string, field: Field, value: string | null): void {
    this.time++
    this.guest(id)[field] = value
  }

  tag(id: string, tags: string[]): void {
    this.guest(id).tags = new Set(tags)
  }

  adjust(id: string, value: number): void {
    this.guest(id).points.push({ value })
  }

  /** Replaces what is recorded; what stays the same is no change. */
  record(id: string, facts: { code: string; note: string | null }[]): void {
    const change = ++this.time
    const held = this.guest(id).facts
    this.guest(id).facts = new Map(
      facts.map(({ code, note }) => {
        const before = held.get(code)
        return [code, before && before.note === note ? before : { note, change }]
      }),
    )
  }

  optOut(id: string): void {
    this.stop(this.guest(id).email, ++this.time)
  }

  merge(id: string, kept: string, gone: string, fields: readonly string[]): void {
    const before = copy(this.guest(kept))
    const lost = copy(this.guest(gone))
    const next = this.guest(kept)
    for (const field of TAKEN)
      if (lost[field] !== null && (fields.includes(field) || before[field] === null))
        next[field] = lost[field]
    if (next.notes === before.notes && !fields.includes('notes') && before.notes && lost.notes)
      if (before.notes !== lost.notes) next.notes = `${before.notes}\n${lost.notes}`
    next.tags = new Set([...before.tags, ...lost.tags])
    next.tier = Math.max(before.tier, lost.tier)
    next.points = [...before.points, ...lost.points]
    for (const [code, { note, change }] of lost.facts) {
      const held = before.facts.get(code)
      if (!held) next.facts.set(code, { note, change })
      else if (note !== null && note !== held.note)
        next.facts.set(code, {
          note: [held.note, note]
            .filter((part) => part !== null)
            .join(' · ')
            .slice(0, 200),
          change: held.change,
        })
    }
    const bookings = this.bookings.flatMap(({ owner }, n) => (owner === gone ? [n] : []))
    const emails = [...this.mailboxes].flatMap(([email, owner]) => (owner === gone ? [email] : []))
    for (const n of bookings) this.own(n, kept)
    for (const email of emails) this.mailboxes.set(email, kept)
    const carried = this.merges.filter((merge) => merge.kept === gone)
    for (const merge of carried) merge.kept = kept
    this.guests.delete(gone)
    const stops = [before.email, lost.email].map((email) => this.optedOut.get(email ?? ''))
    const stopped = stops.find((at) => at !== undefined)
    if (stopped !== undefined) this.stop(next.email, stopped)
    this.raise(kept)
    const at = ++this.time
    const record = { before, after: copy(next), lost, bookings, emails, carried, undone: false }
    this.merges.push({ id, kept, gone, at, ...record })
  }

  /** Why the merge cannot be undone now; null: it can. */
  obstacle(merge: Merge): string | null {
    if (merge.undone) return 'already_undone'
    const later = this.merges.some(({ kept, at, undone }) => kept === merge.kept && at > merge.at && !undone)
    return later ? 'merged_since' : null
  }

  /** The fields that could not be put back. */
  undo(merge: Merge): string[] {
    const { kept, gone, before, after, lost, at } = merge
    const now = this.guest(kept)
    const back = copy(lost)
    const mailboxes = [...this.mailboxes].flatMap(([email, owner]) => (owner === kept ? [email] : []))
    const stays: string[] = []
    for (const field of TAKEN) {
      if (now[field] === after[field]) now[field] = before[field]
      else if (before[field] !== after[field]) stays.push(field)
    }
    now.tags = new Set([...now.tags].filter((tag) => before.tags.has(tag) || !after.tags.has(tag)))
    now.points = now.points.filter((entry) => !lost.points.includes(entry))
    for (const code of lost.facts.keys()) {
      if (now.facts.get(code)?.change !== after.facts.get(code)?.change || !now.facts.has(code)) continue
      const held = before.facts.get(code)
      if (held) now.facts.set(code, held)
      else now.facts.delete(code)
    }
    now.tier = before.tier
    this.guests.set(gone, back)
    for (const n of merge.bookings) if (this.bookings[n]?.owner === kept) this.own(n, gone)
    for (const email of merge.emails) this.mailboxes.set(email, gone)
    for (const other of merge.carried) if (other.kept === kept) other.kept = gone
    const since = mailboxes.map((email) => this.optedOut.get(email) ?? 0).filter((time) => time > at)
    if (since.length > 0) for (const { email } of [now, back]) this.stop(email, Math.min(...since))
    this.raise(kept)
    this.raise(gone)
    merge.undone = true
    return stays.sort()
  }

  /** Visits, spend and points, counted anew. */
  count(id: string): { visits: number; spend: number; points: number } {
    const visits = this.bookings.filter(({ owner, visited }) => owner === id && visited)
    const spend = visits.reduce((sum, { amount }) => sum + amount, 0)
    return {
      visits: visits.length,
      spend,
      points: spend + this.guest(id).points.reduce((sum, { value }) => sum + value, 0),
    }
  }

  tierOf(id: string): string | null {
    return TIERS[this.guest(id).tier] ?? null
  }

  private own(n: number, owner: string): void {
    const booking = this.bookings[n]
    if (booking) this.bookings[n] = { ...booking, owner }
  }

  private stop(email: string | null, at: number): void {
    if (email !== null && !this.optedOut.has(email)) this.optedOut.set(email, at)
  }

  private raise(id: string): void {
    const { visits, spend } = this.count(id)
    const earned = visits === 0 ? -1 : SPENDS.findLastIndex((least) => spend >= least)
    this.guest(id).tier = Math.max(this.guest(id).tier, earned)
  }
}
