import { kept } from '@/lib/i18n/kept'
/** The restaurants of the histories, around the globe; one has no average spend. */
export const PLACES = [
  { name: 'Madrid', timezone: 'Europe/Madrid', averageSpend: 20 },
  { name: 'Palmas', timezone: 'Atlantic/Canary', averageSpend: 33.3 },
  { name: 'Auckland', timezone: 'Pacific/Auckland', averageSpend: null },
  { name: 'Angeles', timezone: 'America/Los_Angeles', averageSpend: 41.05 },
] as const

export interface Booking {
  guest: string | null
  place: string
  date: string
  time: string
  party: number
  status: string
  source: string
  over: boolean
  unmarked: boolean
  walkIn: boolean
  /** EUR cents. */
  amount: number | null
}
export interface Guest {
  id: string
  source: string | null
  tier: string | null
}
export interface World {
  now: Date
  places: readonly { id: string; name: string; timezone: string; averageSpend: number | null }[]
  guests: readonly Guest[]
  bookings: readonly Booking[]
  /** The highest first. */
  tiers: readonly { id: string; name: string }[]
}
export interface Asked {
  months: number
  place: string | null
  split: 'location' | 'source' | 'channel' | null
}

const DAY_MS = 86_400_000
const dayNumber = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY_MS
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)
const serviceDay = (date: string, time: string) => dayNumber(date) - (time < '06:00' ? 1 : 0)

const clockIn = kept(
  (timeZone) =>
    new Intl.DateTimeFormat('en-CA', {
      ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    }),
)

function today(now: Date, timeZone: string): number {
  const parts = clockIn(timeZone).formatToParts(now)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return serviceDay(`${part('year')}-${part('month')}-${part('day')}`, `${part('hour')}:${part('minute')}`)
}

function came({ source, status, over, unmarked }: Booking): boolean {
  if (source === 'import') return false
  if (status === 'completed') return true
  return over && (status === 'seated' || (status === 'confirmed' && unmarked))
}

/** What one looks at: the visits in the places, the days of the report, and its first month. */
function scope({ now, places, bookings }: World, { months, place }: Asked) {
  const chosen = places.filter(({ id }) => place === null || place === id)
  const days = chosen.map(({ timezone }) => today(now, timezone))
  const none = dayNumber(now.toISOString().slice(0, 10))
  const last = days.length > 0 ? Math.max(...days) : none
  const closed = (days.length > 0 ? Math.min(...days) : none) - 1
  const [year = 0, month = 0] = dateOf(last).split('-').map(Number)
  const first = Date.UTC(year, month - months, 1) / DAY_MS
  const visits = bookings
    .filter((one) => chosen.some(({ id }) => id === one.place) && came(one))
    .map((one) => ({ ...one, day: serviceDay(one.date, one.time) }))
  return { first, last, closed, visits, chosen }
}

interface Newcomer {
  month: string
  key: string | null
  /** Days until the next visit. */
  after: number
}
interface Part {
  key: string | null
  rest: boolean
  mine: Newcomer[]
}

/** The cohorts, guest by guest. */
export function cohortsOf(world: World, asked: Asked) {
  const { first, last, closed, visits } = scope(world, asked)
  const newcomers = world.guests.flatMap((guest): Newcomer[] => {
    const mine = visits
      .filter((one) => one.guest === guest.id)
      .sort((a, b) => (a.date + a.time < b.date + b.time ? -1 : 1))
    const [start] = mine
    if (!start || start.day < first || start.day > last) return []
    const again = mine.find(({ day }) => day > start.day)
    const key =
      asked.split === 'location'
        ? start.place
        : asked.split === 'channel'
          ? start.walkIn
            ? 'walk_in'
            : start.source
          : asked.split === 'source'
            ? guest.source?.trim() || null
            : null
    return [
      { month: `${dateOf(start.day).slice(0, 7)}-01`, key, after: again ? again.day - start.day : Infinity },
    ]
  })
  const size = (key: string | null) => newcomers.filter((one) => one.key === key).length
  const keys = [...new Set(newcomers.map(({ key }) => key))].sort(
    (a, b) =>
      Number(a === null) - Number(b === null) || size(b) - size(a) || (String(a) < String(b) ? -1 : 1),
  )
  const rest: (string | null)[] = asked.split === 'source' ? keys.filter((key) => key !== null).slice(12) : []
  const parts = keys
    .filter((key) => !rest.includes(key))
    .map((key): Part => ({ key, rest: false, mine: newcomers.filter((one) => one.key === key) }))
  if (rest.length > 0)
    parts.push({ key: null, rest: true, mine: newcomers.filter(({ key }) => rest.includes(key)) })
  return {
    from: dateOf(first),
    to: dateOf(last),
    closed_until: dateOf(closed),
    data_from: visits.length > 0 ? dateOf(Math.min(...visits.map(({ day }) => day))) : null,
    groups: parts.map(({ key, rest, mine }) => ({
      ...{ key, rest },
      name:
        asked.split === 'location'
          ? (world.places.find(({ id }) => id === key)?.name ?? null)
          : asked.split === 'source'
            ? key
            : null,
      cohorts: [...new Set(mine.map(({ month }) => month))].sort().map((month) => {
        const cohort = mine.filter((one) => one.month === month)
        const [year = 0, number = 0] = month.split('-').map(Number)
        const end = Date.UTC(year, number, 0) / DAY_MS
        return {
          month,
          guests: cohort.length,
          returned: Array.from({ length: 12 }, (_, index) => {
            const days = 30 * (index + 1)
            return end + days > closed ? null : cohort.filter(({ after }) => after <= days).length
          }),
        }
      }),
    })),
  }
}

/** Revenue by tier, visit by visit, in cents. */
export function tiersOf(world: World, asked: Asked) {
  const { first, last, visits, chosen } = scope(world, asked)
  const within = visits.filter(({ day }) => day >= first && day <= last)
  const line = (id: string | null, name: string | null, known: boolean) => {
    const mine = within.filter(({ guest }) => {
      if (guest === null) return !known
      return known && (world.guests.find((one) => one.id === guest)?.tier ?? null) === id
    })
    const guess = ({ place, party }: Booking) =>
      Math.round(party * (chosen.find((one) => one.id === place)?.averageSpend ?? 0) * 100)
    const sum = (of: (one: Booking) => number) => mine.reduce((all, one) => all + of(one), 0)
    return {
      ...{ id, name, known },
      guests: new Set(mine.flatMap(({ guest }) => guest ?? [])).size,
      visits: mine.length,
      covers: sum(({ party }) => party),
      revenue: sum((one) => one.amount ?? guess(one)) / 100,
      estimated_revenue: sum((one) => (one.amount === null ? guess(one) : 0)) / 100,
    }
  }
  return {
    from: dateOf(first),
    to: dateOf(last),
    tiers: [
      ...world.tiers.map(({ id, name }) => line(id, name, true)),
      line(null, null, true),
      line(null, null, false),
    ],
  }
}
