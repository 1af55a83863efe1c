import { begins, currentService, local, minuteOf, minutes } from './night-clock'
import {
  type Answer,
  type Booking,
  type Closing,
  COMES,
  customerName,
  dayOf,
  type Place,
  type Setup,
  tableNames,
} from './night-rules'

/** Two restaurants with what a booking there asks before it is saved. */
export class House {
  readonly bookings = new Map<string, Booking>()
  readonly closings: { A: Closing[]; B: Closing[] } = { A: [], B: [] }
  constructor(
    protected readonly setup: Setup,
    public now: number,
  ) {}

  get today(): string {
    return currentService(this.now, this.setup.zone)
  }

  private begins = ({ date, time }: Pick<Booking, 'date' | 'time'>) => begins(date, time, this.setup.zone)

  /** The others that sit together with a party. */
  protected sitsWith(party: Booking): Booking[] {
    const first = ({ joined, name }: Booking) => joined ?? name
    return [...this.bookings.values()]
      .filter((each) => each.name !== party.name && first(each) === first(party))
      .filter((each) => each.place === party.place && dayOf(each) === dayOf(party))
      .filter(({ status }) => COMES.includes(status))
  }

  /** By the smallest size that takes the party, else by the largest. */
  private stay(size: number): number {
    const stays = Object.entries(this.setup.stays ?? { '2': 90, '4': 120, '99': 150 })
    const sorted = stays.map(([upTo, stay]) => [Number(upTo), stay] as const).sort(([a], [b]) => a - b)
    return minutes((sorted.find(([upTo]) => upTo >= size) ?? sorted.at(-1))?.[1] ?? 0)
  }

  /** Who comes to or sits at the tables meanwhile. */
  private partiesAt(place: Place, tables: string[], from: number, size: number) {
    return [...this.bookings.values()]
      .filter((each) => each.place === place && COMES.includes(each.status))
      .filter((each) => each.status !== 'seated' || dayOf(each) >= this.today)
      .filter((each) => tableNames(each.table).some((name) => tables.includes(name)))
      .map((booking) => {
        const [booked, stay] = [this.begins(booking), this.stay(booking.size)]
        const late = this.now - booked
        const sat = booking.seated ?? booked
        if (booking.status === 'seated') {
          return {
            booking,
            from: Math.min(sat, this.now),
            until: Math.max(sat + stay, this.now + minutes(15)),
          }
        }
        const until = (late >= 0 && late <= minutes(60) ? this.now : booked) + stay
        return { booking, from: booked, until }
      })
      .filter((there) => there.from < from + this.stay(size) && from < there.until)
  }

  /** The shift that a time belongs to; an early party's opens within the hour. */
  private shiftAt(time: string) {
    const opened = this.setup.shifts.filter(({ opens }) => minuteOf(opens) - 60 <= minuteOf(time))
    return opened.at(-1) ?? this.setup.shifts[0]
  }

  protected isClosed(closing: Closing, { time, table }: Pick<Booking, 'time' | 'table'>): boolean {
    const zones = this.setup.tables.filter(({ name }) => tableNames(table).includes(name))
    return (
      (closing.shift === null || this.shiftAt(time)?.name === closing.shift) &&
      (closing.zone === null || zones.some(({ zone }) => zone === closing.zone))
    )
  }

  protected questions(old: Booking | undefined, next: Booking): Answer {
    const { today, now, setup } = this
    const day = dayOf(next)
    const moved = !old || old.date !== next.date || old.time !== next.time
    const tableChanged = (old?.table ?? null) !== next.table
    const comes = COMES.includes(next.status) && day >= today
    const asked: string[] = []
    const together = this.sitsWith(next)
    let current: Answer['current']
    const changesDay = dayOf(old ?? next) !== day || !old
    const isPast = day < today || (!!old && changesDay && dayOf(old) < today)
    if (isPast && (changesDay || old.size !== next.size)) asked.push('SERVICE_OVER')
    const sitsDown = old?.status !== 'seated' && next.status === 'seated'
    const comesAgain = !!old && !COMES.includes(old.status)
    const grows = !!old && old.size < next.size
    const takes = comes && next.table !== null
    if (takes && (moved || tableChanged || grows || sitsDown || comesAgain)) {
      const sits = next.status === 'seated'
      const times = [...(sits ? [now] : []), ...(!sits || (moved && day > today) ? [this.begins(next)] : [])]
      // Who had the table already is only asked about those who sit there.
      const isOwn =
        !moved && !tableChanged && !grows && (old?.status === 'pending' || old?.status === 'confirmed')
      const there = times
        .flatMap((from) => this.partiesAt(next.place, tableNames(next.table), from, next.size))
        .filter(({ booking }) => booking.name !== next.name && (!isOwn || booking.status === 'seated'))
        .filter(({ booking }) => !together.includes(booking))
      const first = Math.min(...there.map((each) => each.from))
      if (there.length > 0) asked.push('TABLE_TAKEN')
      if (there.length > 0)
        current = there
          .filter((each) => each.from === first)
          .map(({ booking, until }) => ({
            ...{ reservation_id: booking.name, customer_name: customerName(booking) },
            ...{ from: local(first, setup.zone).time, until: local(until, setup.zone).time },
          }))
      const others = together.filter(({ table }) => table !== null)
      const covers = others.reduce((sum, { size }) => sum + size, next.size)
      const theirs = others.flatMap(({ table }) => tableNames(table))
      const own = tableNames(next.table)
      const seats = [...own, ...new Set(theirs.filter((name) => !own.includes(name)))].map(
        (name) => setup.tables.find((each) => each.name === name)?.capacity,
      )
      if (seats.every((each) => typeof each === 'number') && seats.reduce((a, b) => a + b, 0) < covers)
        asked.push('TABLE_TOO_SMALL')
    }
    const isBack = (old?.status === 'cancelled' || old?.status === 'no_show') && next.status !== 'seated'
    if (comes && (moved || tableChanged || isBack)) {
      const closed = this.closings[next.place].filter((each) => each.day === day)
      if (closed.some((each) => this.isClosed(each, next))) asked.push('CLOSED')
    }
    if (comes && moved && setup.shifts.length > 0) {
      const at = minuteOf(next.time)
      if (!setup.shifts.some(({ opens, closes }) => at >= minuteOf(opens) && at < minuteOf(closes)))
        asked.push('OUTSIDE_HOURS')
    }
    const unusual = Math.max(1000, 10 * next.size * (setup.average ?? 0))
    if (next.amount !== null && next.amount !== (old?.amount ?? null) && next.amount > unusual)
      asked.push('UNUSUAL_AMOUNT')
    return { outcome: 'asks', questions: asked, ...(current ? { current } : {}) }
  }
}
