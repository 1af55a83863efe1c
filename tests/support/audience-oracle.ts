import { aboutOf } from '@/lib/automations/types'
import { kept } from '@/lib/i18n/kept'
import { complete, type NewAutomation } from '../factories/messaging'
import { ageOf } from './segment-oracle'

export interface Guest {
  id: string
  birth_date: string | null
  location_id: string | null
  timezone: string
  tier_id: string | null
  tags: string[]
  total_spend: number
  total_visits: number
  /** Seconds since 1970. */
  last_visit: number | null
}
export interface Visit {
  id: string
  customer_id: string | null
  location_id: string
  timezone: string
  date: string
  time: string
  status: string
  source: string
  /** Seconds since 1970. */
  created: number
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

const clockIn = kept(
  (timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
)
/** Local date and time of an instant, as `2026-11-20 12:00`. */
const local = (instant: number, timeZone: string) => clockIn(timeZone).format(instant)

/** The instant at which a clock there shows that date and time. */
function instantOf(date: string, time: string, timeZone: string): number {
  const utc = Date.parse(`${date}T${time}:00Z`)
  // Every offset of Europe is within these hours; the one that shows the wanted time is it.
  const offset = [0, 1, 2].find((hours) => local(utc - hours * HOUR, timeZone) === `${date} ${time}`)
  if (offset === undefined) throw new Error(`${date} ${time} is not on the clock of ${timeZone}`)
  return utc - offset * HOUR
}

/** Whether the person's day in some year is `date`. */
function isBirthday(born: string, date: string): boolean {
  const day = born.slice(5)
  if (day !== '02-29') return date.slice(5) === day
  const year = Number(date.slice(0, 4))
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return date.slice(5) === (isLeap ? '02-29' : '02-28')
}

/** Ids of the customers, or reservations, an automation matches: a plain loop over everyone, sharing no code with it. */
export function matches(
  automation: NewAutomation,
  guests: Guest[],
  visits: Visit[],
  ranks: Record<string, number>,
  now: Date,
): string[] {
  const { type, location_ids = [], tags = [], tier_ids = [] } = automation
  const criteria = complete(automation)
  const setting = (name: string) => Number((criteria as Record<string, unknown>)[name])
  const passes = (guest: Guest, location: string | null) =>
    (location_ids.length === 0 || location_ids.includes(location ?? '')) &&
    (tags.length === 0 || tags.some((tag) => guest.tags.includes(tag))) &&
    (tier_ids.length === 0 || tier_ids.includes(guest.tier_id ?? ''))

  if (aboutOf(type) !== 'guest') {
    const startOf = ({ date, time, timezone }: Visit) => instantOf(date, time, timezone)
    /** Whether the guest of a missed reservation came, or booked, for a later time. */
    const isBack = (missed: Visit) =>
      visits.some(
        (visit) =>
          visit.customer_id === missed.customer_id &&
          visit.id !== missed.id &&
          visit.source !== 'import' &&
          startOf(visit) >= startOf(missed) &&
          (['seated', 'completed'].includes(visit.status) || visit.created * 1000 >= startOf(missed)),
      )
    const byId = new Map(guests.map((guest) => [guest.id, guest]))
    return visits
      .filter((visit) => {
        const guest = byId.get(visit.customer_id ?? '')
        if (!guest || visit.source === 'import' || !passes(guest, visit.location_id)) return false
        const ago = now.getTime() - startOf(visit)
        if (type === 'reservation_confirmation') return visit.status === 'confirmed' && ago < 0
        const [least, most] = [setting('hours_after') * HOUR, setting('window_hours') * HOUR]
        if (ago < least || ago > most) return false
        return type === 'no_show'
          ? visit.status === 'no_show' && !isBack(visit)
          : visit.status === 'completed'
      })
      .map(({ id }) => id)
      .sort()
  }

  const isOne = (guest: Guest): boolean => {
    if (type === 'birthday') {
      const today = Date.parse(local(now.getTime(), guest.timezone).slice(0, 10))
      const days = Array.from({ length: setting('days_before') + 1 }, (_, n) => today + n * DAY)
      const born = guest.birth_date
      // Nobody is older than 110: the date stands for none.
      if (born === null || ageOf(born, local(now.getTime(), guest.timezone).slice(0, 10)) > 110) return false
      return days.some((day) => isBirthday(born, new Date(day).toISOString().slice(0, 10)))
    }
    if (type === 'reengagement') {
      if (guest.last_visit === null) return false
      const away = now.getTime() - guest.last_visit * 1000
      return away > setting('inactive_days') * DAY && guest.total_visits >= setting('min_visits')
    }
    const names = ['Bronce', 'Plata', 'Oro', 'Platino']
    const { min_tier, min_spend } = criteria as { min_tier?: string; min_spend?: number }
    const least = names.indexOf(min_tier ?? '') + 1
    const isRanked = least > 0 && guest.tier_id !== null && (ranks[guest.tier_id] ?? 0) >= least
    return isRanked || (min_spend !== undefined && guest.total_spend >= min_spend)
  }
  return guests
    .filter((guest) => isOne(guest) && passes(guest, guest.location_id))
    .map(({ id }) => id)
    .sort()
}
