import { isDeepStrictEqual } from 'node:util'
import { addDays } from '../fakes/pms/calendar'
import { instant, local, minutes } from './night-clock'
import { House } from './night-questions'
import {
  type Answer,
  AWAY,
  afterTap,
  type Booking,
  type Closing,
  CODES,
  COMES,
  customerName,
  dayOf,
  type Fields,
  facts,
  type Place,
  type Row,
  refused,
  type Tap,
  type Tapped,
  tableOf,
  tapped,
} from './night-rules'

interface Taken {
  name: string
  action: string
  before: Tapped
  after: Tapped
  /** Of a join: to whom the parties were joined, and where they sat; only what changed. */
  changes?: { name: string; before: Seat; after: Seat }[]
}
type Seat = Partial<Pick<Booking, 'joined' | 'table'>>
interface Joining {
  links: { name: string; joined: string | null }[]
  tables: () => { name: string; table: string | null }[]
  /** Whether more sit together afterwards. */
  joins: boolean
  linksFirst: boolean
}
/** In which order parties that are joined are asked. */
const order = (each: Booking) => `${each.date} ${each.time} ${customerName(each)}`

/** Two restaurants during a night, as the rules of the house have it. Shares no code with the SQL. */
export class NightModel extends House {
  private readonly taps = new Map<string, Taken>()
  private readonly told = new Map<string, string>()

  /** The party that a tap was about. */
  nameOf = (key: string | undefined) => this.taps.get(key ?? '')?.name

  /** A booking by hand (`old` undefined) or a change: saved, or what is asked or refused. */
  save(old: Booking | undefined, next: Booking, confirm: string[] = []): Answer {
    const timed = !old || old.date !== next.date || old.time !== next.time
    if (timed && instant(next.date, next.time, this.setup.zone) === null) return { outcome: 'skipped_time' }
    const asked = this.questions(old, next)
    const code = asked.questions?.find((each) => !confirm.includes(each.toLowerCase()))
    if (code) return { ...asked, code }
    if (old?.source === 'pms')
      for (const field of ['status', 'table'] as const) {
        const theirs = field in old.marks ? old.marks[field] : old[field]
        delete next.marks[field]
        if (theirs !== next[field]) Object.assign(next.marks, { [field]: theirs })
      }
    if (timed) next.over = dayOf(next) < this.today
    this.bookings.set(next.name, next)
    return { outcome: 'saved' }
  }

  /** A change by hand of these fields. */
  change(name: string, fields: Fields, confirm: string[]): Answer {
    const old = this.bookings.get(name)
    if (!old) return { outcome: 'not_found' }
    const next = { ...old, marks: { ...old.marks }, ...fields }
    return isDeepStrictEqual(next, old) ? { outcome: 'saved' } : this.save(old, next, confirm)
  }

  tap(place: Place, tap: Tap): Answer {
    if (this.taps.has(tap.key)) return { outcome: 'repeated' }
    const at = Math.max(Math.min(Date.parse(tap.at ?? ''), this.now), this.now - minutes(1440))
    if (tap.action === 'walk_in') return this.walkIn(place, tap, at)
    const name = tap.reservation ?? this.taps.get(tap.of ?? '')?.name ?? ''
    const old = this.bookings.get(name)
    if (old?.place !== place) return { outcome: 'not_found' }
    let after: Tapped
    if (tap.action === 'undo') {
      const undone = this.taps.get(tap.undoes ?? '')
      if (undone?.name !== name) return { outcome: 'not_found' }
      if (undone.changes) return this.unlink(old, tap, undone)
      if (!isDeepStrictEqual(tapped(old), undone.after)) return { outcome: 'conflict' }
      after = undone.action === 'walk_in' ? { ...tapped(old), ...AWAY, status: 'cancelled' } : undone.before
    } else if (tap.seen && tap.seen !== old.status) return { outcome: 'conflict' }
    else if (tap.action === 'join') return this.link(old, tap, tap.to ?? null)
    else after = afterTap(tapped(old), tap, at)
    const answer = this.change(name, { status: after.status, table: after.table }, tap.confirm ?? [])
    if (answer.outcome !== 'saved') return refused(answer)
    const next = { ...(this.bookings.get(name) ?? old), ...after }
    this.bookings.set(name, next)
    this.taps.set(tap.key, { name, action: tap.action, before: tapped(old), after })
    return answer
  }

  /** Sits the party, with those it sits with, with another one and those of that one; or on its own. */
  private link(old: Booking, tap: Tap, to: string | null): Answer {
    const other = this.bookings.get(this.taps.get(to ?? '')?.name ?? to ?? '')
    const comes = [other, old].every((each) => each && COMES.includes(each.status))
    const meet = other && other !== old && other.place === old.place && dayOf(other) === dayOf(old)
    if (to !== null && !(meet && comes)) return { outcome: 'conflict' }
    const moved = [old, ...(other ? this.sitsWith(old) : [])].map(({ name }) => name)
    const left = [...this.bookings.values()]
      .filter(({ name, joined }) => joined !== null && moved.includes(joined) && !moved.includes(name))
      .toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
      .map(({ name }) => name)
    const first = other ? (other.joined ?? other.name) : null
    const links = [
      ...moved.map((name) => ({ name, joined: first })),
      ...left.map((name) => ({ name, joined: left[0] ?? null })),
    ]
    const table = tableOf(tap)
    const seated = () => [old, ...(other ? this.sitsWith(this.present(old)) : [])]
    const tables = () => (table === undefined ? [] : seated().map(({ name }) => ({ name, table })))
    return this.joining(old, tap, { links, tables, joins: other !== undefined, linksFirst: true })
  }

  /** Gives all that a join concerned what they had, unless one of them, or who is joined to them, has changed since. */
  private unlink(old: Booking, tap: Tap, { changes = [], action }: Taken): Answer {
    const is = (name: string) => this.bookings.get(name)?.joined ?? null
    const links = changes.flatMap(({ name, before: { joined } }) =>
      joined === undefined ? [] : { name, joined },
    )
    const willBe = (name: string) => links.find((each) => each.name === name)?.joined ?? null
    const known = changes.map(({ name }) => name)
    const clash =
      changes.some(({ name, after }) => {
        const { joined, table } = this.bookings.get(name) as Booking
        return !isDeepStrictEqual({ joined, table, ...after }, { joined, table })
      }) ||
      changes.some(({ name, before }) => {
        const to = before.joined === undefined ? is(name) : before.joined
        if (to === null) return false
        const follows = [...this.bookings.values()].some(
          (each) => each.joined === name && !known.includes(each.name),
        )
        return (
          follows ||
          (known.includes(to) && links.some((each) => each.name === to) ? willBe(to) : is(to)) !== null
        )
      })
    if (clash) return { outcome: 'conflict' }
    const tables = () =>
      changes.flatMap(({ name, before: { table } }) => (table === undefined ? [] : { name, table }))
    const joins = action === 'separate'
    return this.joining(old, tap, { links, tables, joins, linksFirst: joins })
  }

  /** Writes who is joined to whom and where they sit, or nothing when one of them is asked. */
  private joining(old: Booking, tap: Tap, { links, tables, joins, linksFirst }: Joining): Answer {
    const was = new Map(this.bookings)
    const refuse = (answer: Answer): Answer => {
      for (const [name, each] of was) this.bookings.set(name, each)
      return refused(answer)
    }
    const link = () => {
      for (const { name, joined } of links)
        this.bookings.set(name, { ...this.present({ name }), joined: joined === name ? null : joined })
    }
    // Nobody is in the way of who shares a table.
    if (linksFirst) link()
    const first = (name: string) => (name === old.name ? '' : order(this.present({ name })))
    for (const { name, table } of tables().toSorted((a, b) => (first(a.name) < first(b.name) ? -1 : 1))) {
      const answer = this.change(name, { table }, tap.confirm ?? [])
      if (answer.outcome !== 'saved') return refuse(answer)
    }
    link()
    const now = this.present(old)
    const asked = this.questions({ ...now, table: null }, now)
    // Of the tables that it keeps: whether there are seats, and of who parts also whether others are there.
    const about = ['TABLE_TOO_SMALL', 'SERVICE_OVER', ...(joins ? [] : ['TABLE_TAKEN'])]
    const questions = asked.questions?.filter((each) => about.includes(each))
    const code = questions?.find((each) => !tap.confirm?.includes(each.toLowerCase()))
    if (code) return refuse({ ...asked, questions, code })
    const changes = [...was.values()].flatMap((before) => {
      const after = this.present(before)
      const fields = (['joined', 'table'] as const).filter(
        (field) => before[field] !== after[field] || (field === 'joined' && before.name === old.name),
      )
      const some = (each: Booking) => Object.fromEntries(fields.map((field) => [field, each[field]]))
      return fields.length === 0 ? [] : { name: before.name, before: some(before), after: some(after) }
    })
    const same = { before: tapped(old), after: tapped(old) }
    this.taps.set(tap.key, { name: old.name, action: joins ? 'join' : 'separate', ...same, changes })
    return { outcome: 'saved' }
  }

  private present = ({ name }: Pick<Booking, 'name'>) => this.bookings.get(name) as Booking

  private walkIn(place: Place, tap: Tap, at: number): Answer {
    const next: Booking = {
      ...{ name: tap.customer_name ?? '', source: 'manual', place, ...local(at, this.setup.zone) },
      ...{ size: tap.party_size ?? 1, amount: null, guest: null, code: null, marks: {}, walkIn: true },
      ...{
        over: false,
        status: 'seated',
        table: tableOf(tap) ?? null,
        joined: null,
        arrived: at,
        seated: at,
        finished: null,
      },
    }
    const asked = this.questions(undefined, next)
    // Who has come is asked about tables only.
    const questions = asked.questions?.filter((each) => each.startsWith('TABLE'))
    const code = questions?.find((each) => !tap.confirm?.includes(each.toLowerCase()))
    if (code) return refused({ ...asked, code, questions })
    const before = { status: 'seated' as const, table: null, ...AWAY, finished: null }
    this.taps.set(tap.key, { name: next.name, action: 'walk_in', before, after: tapped(next) })
    return this.save(
      undefined,
      next,
      (asked.questions ?? []).map((each) => each.toLowerCase()),
    )
  }

  /** A location's answer: `ids` of all rows when it is complete, else null. */
  sync(place: Place, rows: Row[], ids: string[] | null) {
    const said = { created: 0, updated: 0, held_elsewhere: [] as string[] }
    for (const row of new Map(rows.map((each) => [each.name, each])).values()) {
      const old = this.bookings.get(row.name)
      const wasMissing = old?.status === 'cancelled' && old.code === 'missing'
      const swapped = old?.gone?.held && old.date === row.date && old.time === row.time
      if (old && old.place !== place && !wasMissing && !swapped) {
        if (this.tell(`${place} ${row.name}`)) said.held_elsewhere.push(row.name)
        continue
      }
      const theirs = CODES[row.code] ?? null
      const marks = { ...old?.marks }
      const keepsStatus = marks.status !== undefined && (theirs === null || theirs === marks.status)
      const keepsTable = marks.table !== undefined && old?.place === place && row.table === marks.table
      if (!keepsStatus) delete marks.status
      if (!keepsTable) delete marks.table
      const kept = keepsStatus || (theirs === null && !wasMissing) ? old?.status : undefined
      const status = kept ?? theirs ?? 'pending'
      const cameLater = row.code === old?.code || status === 'seated' || status === 'completed'
      const next: Booking = {
        ...{ arrived: null, seated: null, finished: null, amount: null, joined: null, ...old },
        ...{
          ...row,
          source: 'pms',
          place,
          status,
          marks,
          table: keepsTable ? (old?.table ?? null) : row.table,
        },
        ...{ walkIn: old?.walkIn ?? false, over: old?.over ?? false },
      }
      delete next.gone
      if (!old || !isDeepStrictEqual(facts(next), facts(old))) {
        next.over = dayOf(next) < this.today
        next.walkIn = row.code === '9' || (next.walkIn && cameLater)
        said[old ? 'updated' : 'created']++
      }
      this.bookings.set(row.name, next)
    }
    said.held_elsewhere.sort()
    return { ...said, ...(ids && ids.length > 0 ? this.takeOut(place, ids) : {}) }
  }

  private tell(what: string): boolean {
    const { date } = local(this.now, this.setup.zone)
    const isNew = this.told.get(what) !== date
    this.told.set(what, date)
    return isNew
  }

  /** The local dates that the sync asks for. */
  window(): [string, string] {
    const { date } = local(this.now, this.setup.zone)
    return [addDays(date, -7), addDays(date, 1)]
  }

  /** Cancels what two complete answers, ten minutes apart, do not contain. */
  private takeOut(place: Place, ids: string[]) {
    const [from, to] = this.window()
    const open = [...this.bookings.values()]
      .filter(
        (each) => each.place === place && each.source === 'pms' && dayOf(each) >= from && each.date <= to,
      )
      .filter(({ status }) => status === 'pending' || status === 'confirmed')
    const due: Booking[] = []
    for (const each of open) {
      const isGone = !ids.includes(each.name) && each.arrived === null && each.marks.status === undefined
      if (!isGone) delete each.gone
      else if (!each.gone || each.gone.cancelled) each.gone = { since: this.now }
      else if (each.gone.since <= this.now - minutes(10)) due.push(each)
    }
    if (due.length === 0) return {}
    if (due.length > 5 && due.length > open.length / 5) {
      for (const each of due) each.gone = { since: this.now, ...each.gone, held: true }
      return this.tell(`${place} not applied`) ? { not_applied: due.length } : {}
    }
    for (const each of due) {
      delete each.marks.status
      Object.assign(each, {
        status: 'cancelled',
        code: 'missing',
        gone: { since: this.now, cancelled: true },
      })
    }
    return { missing: due.map(({ name }) => name).sort() }
  }

  /** Services that ended are closed: who sat came. */
  close(): void {
    for (const each of this.bookings.values()) each.over ||= dayOf(each) < this.today
  }

  addClosing(place: Place, closing: Closing) {
    if (this.closings[place].some((each) => isDeepStrictEqual(each, closing))) return { outcome: 'repeated' }
    this.closings[place].push(closing)
    const concerned = [...this.bookings.values()]
      .filter((each) => each.place === place && dayOf(each) === closing.day && COMES.includes(each.status))
      .filter((each) => this.isClosed(closing, each))
    return { outcome: 'saved', reservations: concerned.map(({ name }) => name).sort() }
  }

  /** Whether the guest came; null as long as nobody knows. */
  visited({ status, over }: Booking): boolean | null {
    if (status === 'completed') return true
    if (!over) return null
    return status === 'seated' || (status === 'confirmed' && this.setup.unmarked)
  }
}
