import { addDays } from '../fakes/pms/calendar'

export type Zone = 'Europe/Madrid' | 'Atlantic/Canary'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const BASE: Record<Zone, number> = { 'Europe/Madrid': 1, 'Atlantic/Canary': 0 }
/** Summer time in the European Union: from and until, at one in the morning UTC. */
const SUMMERS = [
  ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  ['2027-03-28T01:00Z', '2027-10-31T01:00Z'],
].map(([from, until]) => [Date.parse(from ?? ''), Date.parse(until ?? '')] as const)

/** How far the clocks of the zone are ahead of UTC, in milliseconds. */
export function offset(at: number, zone: Zone): number {
  return (BASE[zone] + (SUMMERS.some(([from, until]) => at >= from && at < until) ? 1 : 0)) * HOUR
}

/** An instant as the clocks of the zone show it. */
export function local(at: number, zone: Zone): { date: string; time: string } {
  const text = new Date(at + offset(at, zone)).toISOString()
  return { date: text.slice(0, 10), time: text.slice(11, 16) }
}

/** The instant of a local time, the later one of two; null when the clocks skip it. */
export function instant(date: string, time: string, zone: Zone): number | null {
  const wall = Date.parse(`${date}T${time}Z`)
  const found = [0, 1].map((summer) => wall - (BASE[zone] + summer) * HOUR)
  return found.find((at) => at + offset(at, zone) === wall) ?? null
}

/** The same; a time that the clocks skip is read as if they had not gone forward yet. */
export const begins = (date: string, time: string, zone: Zone) =>
  instant(date, time, zone) ?? Date.parse(`${date}T${time}Z`) - BASE[zone] * HOUR

/** A service ends at six in the morning. */
export const serviceDay = (date: string, time: string) => (time < '06:00' ? addDays(date, -1) : date)

/** The service day under way. */
export function currentService(at: number, zone: Zone): string {
  const { date, time } = local(at, zone)
  return serviceDay(date, time)
}

/** Minutes after six, by which the times of a service are in order. */
export function minuteOf(time: string): number {
  return ((Number(time.slice(0, 2)) + 18) % 24) * 60 + Number(time.slice(3))
}

export const minutes = (count: number) => count * MINUTE
