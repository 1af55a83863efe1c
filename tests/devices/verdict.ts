import { usualStay } from '@/components/service/table-model'
import type { Tap } from '@/lib/service/schema'
import { afterTap, type Tap as PlainTap, tableNames, tableOf } from '../sql/night-rules'
import type { Device } from './device'
import type { House } from './house'
import type { Change, State } from './witness'

const MINUTE = 60_000
const COMES = ['pending', 'confirmed', 'seated']
/** What a device may be told in the end: it counts, it was too late, or somebody has to say yes. */
const SAVED = ['saved', 'repeated']
const REFUSED = ['conflict', 'table_taken', 'table_too_small', 'closed', 'outside_hours', 'service_over']

export interface Verdict {
  taps: Record<string, number>
  changes: number
  violations: string[]
}

/** Bookings that were made at the desk, with what was confirmed. */
export type Desk = Map<string, { confirm: string[] }>

/** Holds what the devices were told against what the database wrote down. */
export function judge(
  house: House,
  devices: readonly Device[],
  desk: Desk,
  changes: readonly Change[],
): Verdict {
  const sent = new Map(devices.flatMap(({ taps }) => [...taps]))
  const violations: string[] = []
  const taken = changes.flatMap(({ key, state }) => (key ? `${key} ${state.party}` : []))
  if (new Set(taken).size !== taken.length) violations.push('a tap was taken twice')
  const kept = new Set(changes.map(({ key }) => key))
  const taps: Record<string, number> = {}
  for (const device of devices) {
    for (const [refusal, times] of device.refusals)
      violations.push(`${device.name}: ${times} requests refused: ${refusal.slice(0, 300)}`)
    for (const [key, { tap, outcome = 'none' }] of device.taps) {
      taps[outcome] = (taps[outcome] ?? 0) + 1
      const what = `${device.name}: ${tap.action} ${key}`
      const isSaved = SAVED.includes(outcome)
      if (isSaved !== kept.has(key))
        violations.push(`${what} was answered ${outcome} and is ${kept.has(key) ? '' : 'not '}saved`)
      // Only what builds on a tap that was refused finds nothing.
      const mayMiss = tap.action === 'undo' || ('of' in tap && tap.of !== undefined)
      if (!isSaved && !REFUSED.includes(outcome) && !(outcome === 'not_found' && mayMiss))
        violations.push(`${what} ended as ${outcome}`)
    }
    if (device.board.waiting > 0) violations.push(`${device.name}: ${device.board.waiting} taps still wait`)
  }
  violations.push(...doubled(house, sent, desk, changes), ...untrue(sent, desk, changes))
  return { taps, changes: changes.filter(({ tx }) => tx !== 0).length, violations }
}

type Sent = ReadonlyMap<string, { tap: Tap }>

interface Span {
  from: number
  until: number
}

/** Who has the same sits together. */
const firstOf = ({ joined, party }: State) => joined ?? party

/** Parties that got a table of another one for a common time, without anybody's yes. */
function doubled(house: House, sent: Sent, desk: Desk, changes: readonly Change[]): string[] {
  const found: string[] = []
  const parties = new Map<string, State>()
  const bookedAt = ({ time }: State) => {
    const [hour = 0, minute = 0] = time.split(':').map(Number)
    return house.midnight + ((hour < 6 ? hour + 24 : hour) * 60 + minute) * MINUTE
  }
  const stay = ({ size }: State) => usualStay(size) * MINUTE
  const spanAt = (party: State, now: number): Span => {
    const booked = bookedAt(party)
    if (party.status !== 'seated') return { from: booked, until: booked + stay(party) }
    const from = party.seated ?? booked
    return { from: Math.min(from, now), until: Math.max(from + stay(party), now + 15 * MINUTE) }
  }
  // A join is asked about once all its parties are where they shall be.
  const byTap = new Map(changes.flatMap(({ key, state }) => (key ? [[`${key} ${state.party}`, state]] : [])))
  for (const { state, tx, began, key } of changes) {
    const old = parties.get(state.party)
    parties.set(state.party, state)
    if (tx === 0 || !COMES.includes(state.status) || state.table === null) continue
    const isSame = old && old.time === state.time && old.table === state.table && old.size >= state.size
    const sits = state.status === 'seated' && old?.status !== 'seated'
    if (isSame && COMES.includes(old.status) && !sits) continue
    const isOwn = isSame && COMES.includes(old.status) && old.status !== 'seated'
    const yes: string[] = (key === null ? desk.get(state.party) : sent.get(key)?.tap)?.confirm ?? []
    if (yes.includes('table_taken')) continue
    const from = state.status === 'seated' ? began : bookedAt(state)
    const until = from + stay(state)
    for (const present of parties.values()) {
      const other = byTap.get(`${key} ${present.party}`) ?? present
      if (other.party === state.party || !COMES.includes(other.status)) continue
      if (firstOf(other) === firstOf(state)) continue
      if (isOwn && other.status !== 'seated') continue
      const shared = tableNames(other.table).filter((name) => tableNames(state.table).includes(name))
      const span = spanAt(other, began)
      if (shared.length > 0 && span.from < until && from < span.until)
        found.push(
          `table ${shared.join()} was given twice at ${new Date(began).toISOString()}: ${state.party} (${state.status}) and ${other.party} (${other.status}), by ${key ?? 'the desk'}`,
        )
    }
  }
  return found
}

/** Changes that no tap explains, and taps that did something else than they say. */
function untrue(sent: Sent, desk: Desk, changes: readonly Change[]): string[] {
  const found: string[] = []
  const parties = new Map<string, State>()
  const steps: Steps = new Map()
  for (const { state, tx, key, began } of changes) {
    const old = parties.get(state.party)
    parties.set(state.party, state)
    if (key === null) {
      if (tx !== 0 && (old || !desk.has(state.party))) found.push(`${state.party} changed without a tap`)
      continue
    }
    const tap = sent.get(key)?.tap
    if (old) steps.set(`${key} ${state.party}`, { before: old, after: state })
    const wanted = tap && played(old ?? state, tap, began, sent, steps)
    if (!wanted) found.push(`nobody sent the tap ${key}`)
    else if (told(wanted) !== told(state))
      found.push(`after ${tap.action} ${key} the party ${state.party} is ${told(state)}, not ${told(wanted)}`)
  }
  return found
}

/** A party before and after a tap, by the key of the tap and the party. */
type Steps = Map<string, { before: State; after: State }>

/** What a tap makes of a party. */
function played(old: State, tap: Tap, began: number, sent: Sent, steps: Steps): State {
  const at = Math.min(Date.parse(tap.at ?? ''), began)
  if (tap.action === 'walk_in')
    return { ...old, status: 'seated', size: tap.party_size, table: tableOf(tap) ?? null }
  if (tap.action === 'join') {
    const table = tableOf(tap)
    // Who stays behind, or is not at the same table, keeps its own.
    const { after } = steps.get(`${tap.key} ${old.party}`) ?? { after: old }
    const gets = tap.reservation_id === old.party || after.table !== old.table
    return gets && table !== undefined ? { ...old, table } : old
  }
  if (tap.action === 'change') {
    const { party_size: size = old.size, time = old.time, notes = old.notes } = tap
    return { ...old, size, time, notes }
  }
  if (tap.action === 'undo') {
    const undone = sent.get(tap.undoes)?.tap
    const step = steps.get(`${tap.undoes} ${old.party}`)
    // An undone walk-in never came.
    if (!step || !undone) return { ...old, status: 'cancelled', arrived: null, seated: null }
    const { before, after } = step
    if (undone.action === 'join') return before.table === after.table ? old : { ...old, table: before.table }
    if (undone.action !== 'change') {
      const { status, table, arrived, seated, finished } = before
      return { ...old, status, table, arrived, seated, finished }
    }
    return {
      ...old,
      ...(undone.party_size === undefined ? {} : { size: before.size }),
      ...(undone.time === undefined ? {} : { time: before.time }),
      ...(undone.notes === undefined ? {} : { notes: before.notes }),
    }
  }
  const { status, table, arrived, seated, finished } = old
  return { ...old, ...afterTap({ status, table, arrived, seated, finished }, tap as PlainTap, at) }
}

/** A party as its taps tell it, without the seconds. */
const told = ({ status, table, arrived, seated, finished, size, time, notes }: State) =>
  JSON.stringify([status, table, arrived !== null, seated !== null, finished !== null, size, time, notes])
