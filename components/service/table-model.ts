import { serviceMinute } from '@/components/ui/service-day'
import { type BoardParty, type BoardService, clockAt, isExpected } from './board-model'

/** A location, with how long its parties stay: see `usualStay`. */
type Place = Pick<BoardService['location'], 'timezone' | 'stay_minutes'>

/** Minutes that parties usually stay, by the largest party size they are for, where a location says nothing else. */
export const USUAL_STAYS: Readonly<Record<string, number>> = { 2: 90, 4: 120, 99: 150 }

/**
 * Minutes that a party of that size usually stays: an estimate, not measured. The database has the same (`stay_of`).
 * @param stays minutes by the largest party size they are for; who is more stays as long as the largest
 */
export function usualStay(partySize: number, stays: Place['stay_minutes'] = null): number {
  const sizes = Object.entries(stays ?? USUAL_STAYS)
    .map(([upTo, minutes]) => ({ upTo: Number(upTo), minutes }))
    .sort((a, b) => a.upTo - b.upTo)
  return (sizes.find(({ upTo }) => upTo >= partySize) ?? sizes.at(-1))?.minutes ?? 0
}

/** A party that sits so many minutes longer than usual has probably left without a tap: it is proposed as finished. */
const FORGOTTEN_AFTER = 120
/** Minutes for which a table is held for a late party that did not say how late it comes. */
const WAITED_FOR = 60
/** A party that has stayed longer than usual is expected to leave after at least this many minutes. */
const LEAVES_IN = 15
export const QUARTER = 15

/** A stay at a table, in minutes after 06:00. */
export interface Span {
  from: number
  until: number
}

/** Whether two stays have a minute in common. */
export const overlap = (a: Span, b: Span): boolean => a.from < b.until && b.from < a.until

/**
 * Returns when a party is at its table: the recorded times, else its time and the usual stay. Null for one that does
 * not come.
 * @param now the current minute; null for another day than today
 */
export function spanOf(
  party: BoardParty,
  { timezone, stay_minutes: stays }: Place,
  now: number | null,
): Span | null {
  if (party.status === 'cancelled' || party.status === 'no_show') return null
  const minuteOf = (instant: string | null) =>
    instant === null ? null : serviceMinute(clockAt(new Date(instant), timezone))
  const booked = serviceMinute(party.time)
  const stay = usualStay(party.party_size, stays)
  if (isExpected(party)) {
    const late = now === null ? 0 : now - booked
    return {
      from: booked,
      until:
        (late > 0 && late <= Math.max(WAITED_FOR, party.late_minutes ?? 0) ? booked + late : booked) + stay,
    }
  }
  const from = minuteOf(party.seated_at) ?? booked
  if (party.status === 'seated')
    return {
      from: now === null ? from : Math.min(from, now),
      until: Math.max(from + stay, now === null ? 0 : now + LEAVES_IN),
    }
  return { from, until: Math.max(minuteOf(party.finished_at) ?? from + stay, from + QUARTER) }
}

/** How many minutes a party has been at its table: since it sat, else since its time. */
export function minutesSeated({ seated_at, time }: BoardParty, { timezone }: Place, now: Date): number {
  if (seated_at) return Math.floor((now.getTime() - Date.parse(seated_at)) / 60_000)
  return serviceMinute(clockAt(now, timezone)) - serviceMinute(time)
}

/** A length of time as a table of the plan shows it: up to two hours in minutes, a longer one with hours. */
export function hoursAndMinutes(length: number): { hours: number; minutes: string } {
  const hours = length > 120 ? Math.floor(length / 60) : 0
  return { hours, minutes: String(length - hours * 60) }
}

/** Whether a seated party is two hours past its usual stay. */
export const isForgotten = (party: BoardParty, place: Place, now: Date): boolean =>
  party.status === 'seated' &&
  minutesSeated(party, place, now) >= usualStay(party.party_size, place.stay_minutes) + FORGOTTEN_AFTER

/** From when a party needs its table, `HH:MM`: one that sits, or is late, from now on. */
export function neededFrom(party: BoardParty, clock: string | null, timezone: string): string {
  if (party.seated_at) return clock ?? clockAt(new Date(party.seated_at), timezone)
  return clock && serviceMinute(clock) > serviceMinute(party.time) ? clock : party.time
}

/** Formats a minute after 06:00 as `HH:MM`. */
export function clockOf(minute: number): string {
  const local = (minute + 360) % 1440
  return `${String(Math.floor(local / 60)).padStart(2, '0')}:${String(local % 60).padStart(2, '0')}`
}
