import { addDays } from '../fakes/pms/calendar'
import { local, minutes } from './night-clock'
import { reportOf, stateOf } from './night-figures'
import { NightModel } from './night-model'
import {
  type Answer,
  afterTap,
  CODES,
  customerName,
  type Place,
  type Row,
  type Status,
  type Tap,
  tableNames,
} from './night-rules'
import type { Step, Story } from './night-story'

/** What is asked of the database, and what the model says of the answer and of everything that is stored then. */
export interface Move {
  call: Record<string, unknown>
  answer: unknown
  state: unknown
}

interface Device {
  isOnline: boolean
  /** The parties as it saw them last, with its own taps since. */
  view: Map<string, Status>
  queue: Tap[]
  batch: Tap[]
  sent: { key: string; name: string }[]
  refused?: Tap
}
type Entry = Row & { places: Place[]; isGone: boolean }
const AT: Place = 'A'

/** Plays a story on the model: the calls for the database in order, each with what is expected. */
export function play(story: Story): Move[] {
  const model = new NightModel(story.setup, story.begin)
  const devices = [0, 1].map(
    (): Device => ({ isOnline: true, view: new Map(), queue: [], batch: [], sent: [] }),
  ) as [Device, Device]
  const pms: Entry[] = []
  const moves: Move[] = []
  let count = 0
  const name = (kind: string) => `${kind}${++count}`
  const newKey = () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`
  const now = () => new Date(model.now).toISOString()
  const push = (call: Move['call'], answer: unknown) =>
    moves.push({ call: { now: now(), ...call }, answer, state: stateOf(model, story.setup) })
  const closeServices = () => {
    model.close()
    push({ do: 'close' }, true)
  }
  const manual = (place: Place) =>
    [...model.bookings.values()].filter((each) => each.source === 'manual' && each.place === place)

  function refresh(device: Device): void {
    device.view = new Map(
      [...model.bookings.values()]
        .filter(({ place }) => place === AT)
        .map((each) => [each.name, each.status]),
    )
  }
  function send(device: Device, taps: Tap[]): void {
    if (taps.length === 0) return
    const answers = taps.map((tap): Answer & { key: string; reservation?: string } => {
      const reservation = tap.reservation ?? model.nameOf(tap.of) ?? undefined
      const answer = model.tap(AT, tap)
      const named = tap.action === 'walk_in' ? tap.customer_name : reservation
      const isNamed = !['repeated', 'not_found'].includes(answer.outcome)
      if (answer.code) device.refused = tap
      const shown = isNamed && (tap.action !== 'walk_in' || answer.outcome === 'saved')
      return { key: tap.key, ...answer, ...(shown ? { reservation_id: named } : {}) }
    })
    device.batch = taps
    push({ do: 'taps', place: AT, taps: [...taps] }, answers)
    refresh(device)
  }
  function take(device: Device, tap: Tap, target: string): void {
    device.sent.push({ key: tap.key, name: target })
    if (device.isOnline) {
      send(device, [tap])
      return
    }
    device.queue.push(tap)
    // What this device shows from now on.
    const old = {
      status: device.view.get(target) ?? 'confirmed',
      table: null,
      arrived: null,
      seated: null,
      finished: null,
    }
    const next =
      tap.action === 'walk_in' ? 'seated' : tap.action === 'undo' ? old.status : afterTap(old, tap, 0).status
    device.view.set(target, next)
  }
  /** A party has no id as long as only this device knows of it. */
  function targetOf(device: Device, target: string): Pick<Tap, 'reservation' | 'of'> {
    if (model.bookings.has(target)) return { reservation: target }
    return { of: device.sent.find((each) => each.name === target)?.key }
  }

  /** As the board gives tables, or by their name as older ones do. */
  const placeOf = ({ table, which }: { table: string | null; which: number }) =>
    which % 3 > 0 ? { tables: tableNames(table) } : { table_name: table }

  function tap(step: Extract<Step, { do: 'tap' }>): void {
    const device = devices[step.device]
    if (step.looks && device.isOnline) refresh(device)
    const target = [...device.view.keys()][step.which % Math.max(device.view.size, 1)]
    const common = { key: newKey(), at: now(), confirm: step.confirm }
    if (step.action === 'walk_in') {
      const customer_name = name('w')
      const party = { customer_name, party_size: step.size, ...placeOf(step) }
      take(device, { ...common, action: 'walk_in', ...party }, customer_name)
      return
    }
    if (target === undefined) return
    const { action, to, table } = step
    const all = [...device.view.keys()]
    const other = targetOf(device, all[(step.which + step.size) % all.length] as string)
    const given = {
      ...(action === 'set_back' ? { to } : {}),
      ...(action === 'assign' || (action === 'seat' && table !== null) ? placeOf(step) : {}),
      ...(action === 'join' ? { to: step.size > 2 ? (other.reservation ?? other.of ?? null) : null } : {}),
      ...(action === 'join' && step.size % 2 === 0 ? placeOf(step) : {}),
    }
    take(
      device,
      { ...common, ...targetOf(device, target), action, ...given, seen: device.view.get(target) },
      target,
    )
  }

  function sync({ place, answer, twice }: Extract<Step, { do: 'sync' }>): void {
    if (answer === 'failed') return
    const [from, to] = model.window()
    const there = pms.filter(
      (each) => !each.isGone && each.places.includes(place) && each.date >= from && each.date <= to,
    )
    let rows: Row[] = there.map(({ places, isGone, ...row }) => row)
    const first = rows[0]
    // The same row twice: the last one counts.
    if (twice && first) rows = [{ ...first, size: first.size + 1, code: '-2' }, ...rows]
    if (answer === 'cut') rows = rows.slice(0, rows.length / 2)
    if (answer === 'malformed') rows = rows.filter((each) => each.name !== rows.at(-1)?.name)
    const ids = answer === 'cut' ? null : there.map(({ name }) => name)
    const said = model.sync(place, rows, ids)
    push({ do: 'sync', place, from, to, ids, rows: rows.map(rowOf) }, said)
    closeServices()
  }

  function change(step: Extract<Step, { do: 'pms' }>): void {
    const { guest, size, slot, code, table } = step
    if (step.change === 'new')
      pms.push({
        name: name('p'),
        places: [step.which % 4 ? 'A' : 'B'],
        isGone: false,
        guest,
        size,
        ...slot,
        code: '1',
        table,
      })
    if (step.change === 'outage') for (const [n, each] of pms.entries()) each.isGone ||= n % 10 < 6
    if (step.change === 'restored') for (const each of pms) each.isGone = false
    const one = pms[step.which % Math.max(pms.length, 1)]
    if (!one) return
    if (step.change === 'move') Object.assign(one, slot)
    if (step.change === 'status') one.code = code
    if (step.change === 'table') one.table = table
    if (step.change === 'size') one.size = size
    if (step.change === 'lose') one.isGone = true
    if (step.change === 'back') one.isGone = false
    if (step.change === 'also')
      one.places = one.places.length === 2 ? [one.places[step.which % 2] ?? 'A'] : ['A', 'B']
  }

  function book({ place, guest, size, slot, table, confirm }: Extract<Step, { do: 'book' }>): void {
    const booking = {
      ...{
        name: name('m'),
        source: 'manual' as const,
        place,
        ...slot,
        size,
        amount: null,
        guest,
        code: null,
        marks: {},
      },
      ...{
        walkIn: false,
        over: false,
        joined: null,
        status: 'confirmed' as const,
        table,
        arrived: null,
        seated: null,
        finished: null,
      },
    }
    const answer = model.save(undefined, booking, confirm)
    const fields = {
      ...{ customer_name: customerName(booking), reservation_date: slot.date, reservation_time: slot.time },
      ...{ party_size: size, status: 'confirmed', table_name: table, notes: booking.name, confirm },
      ...(guest === null ? {} : { customer_email: `guest${guest}@correo.example` }),
    }
    push({ do: 'save', place, fields }, answer)
  }

  function patch(step: Extract<Step, { do: 'patch' }>): void {
    const { field, size, slot, table, amount, confirm } = step
    // Size and time of the PMS's bookings are the PMS's.
    const some = field === 'size' || field === 'slot' ? manual(AT) : [...model.bookings.values()]
    const one = some[step.which % Math.max(some.length, 1)]
    if (!one) return
    const status = CODES[step.code] ?? 'confirmed'
    const [changed, fields] = {
      size: [{ size }, { party_size: size }],
      slot: [slot, { reservation_date: slot.date, reservation_time: slot.time }],
      table: [{ table }, { table_name: table }],
      status: [{ status }, { status }],
      amount: [{ amount }, { total_amount: amount }],
    }[field] as [object, object]
    push(
      { do: 'save', reservation: one.name, fields: { ...fields, confirm } },
      model.change(one.name, changed, confirm),
    )
  }

  function act(step: Step): void {
    if (step.do === 'wait') model.now += minutes(step.minutes)
    else if (step.do === 'sync') sync(step)
    else if (step.do === 'pms') change(step)
    else if (step.do === 'book') book(step)
    else if (step.do === 'patch') patch(step)
    else if (step.do === 'tap') tap(step)
    else if (step.do === 'nightly') closeServices()
    else if (step.do === 'close') {
      const closing = { day: addDays(story.day, step.ahead), shift: step.shift, zone: step.zone }
      push(
        { do: 'shut', place: step.place, closing: { ...closing, reason: 'Obras' } },
        model.addClosing(step.place, closing),
      )
    } else if (step.do === 'reopen') {
      const [gone] = model.closings[step.place].splice(step.which % 3, 1)
      if (gone) push({ do: 'reopen', place: step.place, closing: gone }, 'deleted')
    } else ofDevice(devices[step.device], step)
  }

  function ofDevice(device: Device, step: Extract<Step, { device: 0 | 1 }>): void {
    if (step.do === 'undo') {
      const last = device.sent.at(-1 - step.back)
      if (!last) return
      const undo = { action: 'undo', undoes: last.key, ...targetOf(device, last.name) }
      take(device, { key: newKey(), at: now(), confirm: [], ...undo }, last.name)
    } else if (step.do === 'again' && device.isOnline) send(device, device.batch)
    else if (step.do === 'yes' && device.isOnline && device.refused) {
      const { refused } = device
      device.refused = undefined
      const confirm = ['table_taken', 'table_too_small', 'closed']
      const target = refused.customer_name ?? refused.reservation ?? model.nameOf(refused.of) ?? ''
      // The same tap with its key, as the app does: when the first comes late, it counts once.
      take(device, { ...refused, confirm }, target)
    } else if (step.do === 'offline') device.isOnline = false
    else if (step.do === 'online') {
      device.isOnline = true
      send(device, device.queue.splice(0))
    } else if (step.do === 'refresh' && device.isOnline) refresh(device)
  }

  for (const step of story.steps) act(step)
  // The next morning everybody is back, and the figures are read.
  for (const device of devices) ofDevice(device, { do: 'online', device: 0 })
  while (model.today <= story.day || local(model.now, story.setup.zone).time < '06:00')
    model.now += minutes(30)
  for (const place of ['A', 'B'] as const) sync({ do: 'sync', place, answer: 'whole', twice: false })
  push({ do: 'report' }, reportOf(model, story.setup))
  return moves
}

/** As the sync gives a row to the database. */
function rowOf({ name, date, time, size, code, table, guest }: Row) {
  return {
    ...{ external_id: name, email: `guest${guest}@correo.example`, phone: null, first_name: 'Guest' },
    ...{ last_name: String(guest), customer_name: `Guest ${guest}`, reservation_date: date },
    ...{ reservation_time: time, party_size: size, status: CODES[code] ?? null, pms_status: code },
    ...{
      notes: null,
      zone_name: null,
      table_name: table,
      bad_email: false,
      further_phones: [],
      phone_words: null,
    },
  }
}
