import { addDays, dayNumber, localMinutes } from '../fakes/pms/calendar'
import type { Random } from '../fakes/pms/random'

/** The restaurants of the histories, in two time zones; one has no average spend. */
export const ZONES = [
  { name: 'Norte', timezone: 'Europe/Madrid', averageSpend: 20 },
  { name: 'Islas', timezone: 'Atlantic/Canary', averageSpend: 33.3 },
  { name: 'Puerto', timezone: 'Europe/Madrid', averageSpend: null },
] as const

export const HISTORY_RULES = {
  Bronce: { min_spend: 0, min_visits: 1 },
  Plata: { min_spend: 100, min_visits: 1 },
  Oro: { min_spend: 160, min_visits: 1 },
}
const RANKS = Object.entries(HISTORY_RULES)
// Tenths, as the tiers of every organization begin.
const MULTIPLIERS: Record<string, number> = { Bronce: 10, Plata: 12, Oro: 15 }

type Status = 'pending' | 'confirmed' | 'seated' | 'completed' | 'cancelled' | 'no_show'
// The contract's words and the codes of installations; null is one we do not know.
const CODES: [string | number, Status | null][] = [
  [0, 'pending'],
  ['1', 'confirmed'],
  [1, 'confirmed'],
  [2, 'seated'],
  ['3', 'pending'],
  ['5', 'seated'],
  [9, 'seated'],
  [-2, 'cancelled'],
  ['-3', 'no_show'],
  [-5, 'cancelled'],
  ['confirmed', 'confirmed'],
  ['finished', 'completed'],
  [77, null],
]
const STAFF: Status[] = ['confirmed', 'seated', 'completed', 'no_show', 'cancelled']

/** An instant, and whether each restaurant counts visits that were never marked. */
export interface Moment {
  now: string
  counts: boolean[]
}
interface Seen {
  marked: number
  overruled: number
  takenBack: number
}

/** One reservation of one guest, as it should be after everything that happened to it. Shares no code with the SQL. */
export class History {
  readonly place: number
  private readonly date: string
  private readonly time: string
  private covers: number
  private code: string | number
  private status: Status
  private amount: number | null = null
  /** The PMS's status when staff put another one in its place. */
  private markedOver: Status | null = null
  private closed = false
  private countsUnmarked = true
  private tier: string | null = null
  private points = 0
  /** Of the tier held when the visit first earned points, in tenths. */
  private multiplier: number | null = null

  constructor(
    private readonly n: number,
    firstDay: string,
    random: Random,
  ) {
    this.place = n % ZONES.length
    this.date = addDays(firstDay, random.int(0, 6))
    this.time = random.pick(['13:30', '21:00', '23:30', '00:45', '05:59', '06:00'])
    this.covers = random.int(1, 9)
    this.code = '1'
    this.status = 'pending'
  }

  get id(): string {
    return `h${String(this.n).padStart(4, '0')}`
  }

  /** The PMS's row; its first one is always `1`. */
  row() {
    return {
      id: this.id,
      date: this.date,
      time: this.time,
      pax: this.covers,
      state: this.code,
      client_email: `guest${this.n}@correo.example`,
      client_name: `Guest ${this.n}`,
    }
  }

  /** The PMS changes its mind, or not, and is asked. */
  pmsMoves(moment: Moment, random: Random, seen: Seen): void {
    if (random.chance(0.5)) [this.code] = random.pick(CODES)
    if (random.chance(0.1)) this.covers = random.int(1, 9)
    const meant = CODES.find(([code]) => code === this.code)?.[1] ?? null
    if (meant === null) return
    if (this.markedOver !== null && meant === this.markedOver) return
    if (this.markedOver !== null && meant !== this.status) seen.overruled++
    this.markedOver = null
    this.become(meant, moment)
  }

  /** Staff correct status or amount, or take the mark back: the request they send, or null. */
  staffMarks(moment: Moment, random: Random, seen: Seen): { externalId: string; fields: object } | null {
    if (!random.chance(0.25)) return null
    const fields: { status?: Status; total_amount?: number | null } = {}
    if (random.chance(0.7)) {
      fields.status = this.markedOver !== null && random.chance(0.3) ? this.markedOver : random.pick(STAFF)
    } else fields.total_amount = random.chance(0.2) ? null : random.int(0, 30_000) / 100
    if (fields.total_amount !== undefined) this.amount = fields.total_amount
    const visitedBefore = this.visited()
    if (fields.status !== undefined && fields.status !== this.status) {
      const said = this.markedOver ?? this.status
      this.markedOver = fields.status === said ? null : said
      this.become(fields.status, moment)
      seen.marked++
    }
    if (visitedBefore === true && this.visited() === false) seen.takenBack++
    this.settle()
    return { externalId: this.id, fields }
  }

  /** A service ends at 06:00 local; entries before 06:00 belong to the evening before. */
  close({ now, counts }: Moment): void {
    const early = Number(this.time.slice(0, 2)) < 6
    const ends = (dayNumber(this.date) + (early ? 0 : 1)) * 1440 + 360
    if (!this.closed && localMinutes(new Date(now), ZONES[this.place]?.timezone ?? '') >= ends) {
      this.closed = true
      this.countsUnmarked = counts[this.place] ?? true
    }
    this.settle()
  }

  /** The restaurant now counts unmarked visits otherwise. */
  recount(counts: boolean[]): void {
    this.countsUnmarked = counts[this.place] ?? true
    this.settle()
  }

  private become(status: Status, { counts }: Moment): void {
    this.status = status
    this.countsUnmarked = counts[this.place] ?? true
  }

  private visited(): boolean | null {
    if (this.status === 'completed') return true
    if (!this.closed) return null
    if (this.status === 'seated') return true
    return this.status === 'confirmed' ? this.countsUnmarked : false
  }

  private eur(): number {
    return this.amount ?? this.covers * (ZONES[this.place]?.averageSpend ?? 0)
  }

  /** Points by the tier held until now; then the tier, which only rises. */
  private settle(): void {
    if (this.visited() !== true) {
      this.points = 0
      return
    }
    const multiplier = this.multiplier ?? MULTIPLIERS[this.tier ?? ''] ?? 10
    this.points = Math.floor((Math.round(this.eur() * 100) * multiplier) / 1000)
    if (this.points > 0) this.multiplier = multiplier
    for (const [index, [tier, rule]] of RANKS.entries()) {
      const held = RANKS.findIndex(([name]) => name === this.tier)
      if (index > held && Math.round(this.eur() * 100) >= rule.min_spend * 100) this.tier = tier
    }
  }

  /** The row that the test reads back. */
  expected() {
    const came = this.visited() === true
    return {
      id: this.id,
      status: this.status,
      pms_status: String(this.code),
      visited: this.visited(),
      covers: this.covers,
      amount: this.amount,
      visits: came ? 1 : 0,
      spend: came ? Math.round(this.eur() * 100) / 100 : 0,
      points: this.points,
      tier: this.tier,
    }
  }
}
