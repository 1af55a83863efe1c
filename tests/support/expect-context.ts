import { kept } from '@/lib/i18n/kept'
// The assistant's context worked out once more, row by row in TypeScript, to compare with the database's.

export interface Row {
  id: string
  location: 'Madrid' | 'Canarias'
  date: string
  time: string
  party_size: number
  status: string
  source: string
  total_amount: number | null
  customer_name: string | null
  notes: string | null
  tier: string | null
}

const ZONES = { Madrid: 'Europe/Madrid', Canarias: 'Atlantic/Canary' } as const
const AVERAGE = { Madrid: 30, Canarias: 0 } as const
const VIP = ['Oro', 'Platino']
const LOST = ['cancelled', 'no_show']

const clockIn = kept(
  (timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
)
/** `YYYY-MM-DD HH:mm` on the wall of a time zone. */
const wallClock = (now: Date, timeZone: string) => clockIn(timeZone).format(now)

const asUtc = (wall: string) => Date.parse(`${wall.replace(' ', 'T')}:00Z`)
const dateOf = (instant: number) => new Date(instant).toISOString().slice(0, 10)
const HOUR = 3_600_000
/** After-midnight hours are the evening before. */
const serviceDate = (wall: string) => dateOf(asUtc(wall) - 6 * HOUR)
const wallOf = ({ date, time }: Row) => `${date} ${time}`

function mondayOf(date: string): string {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay()
  return dateOf(Date.parse(date) - ((day + 6) % 7) * 24 * HOUR)
}

const sum = (rows: Row[], value: (row: Row) => number) => rows.reduce((total, row) => total + value(row), 0)

/** What the context should say of these reservations to someone who works in `places`. */
export function expectedFigures(all: Row[], places: ('Madrid' | 'Canarias')[], now: Date) {
  const rows = all.filter(({ source, location }) => source !== 'import' && places.includes(location))
  const today = (place: Row['location']) => serviceDate(wallClock(now, ZONES[place]))
  const todays = rows.filter((row) => serviceDate(wallOf(row)) === today(row.location))
  const weeks = rows.filter((row) => mondayOf(serviceDate(wallOf(row))) === mondayOf(today(row.location)))
  const expected = (some: Row[]) => some.filter(({ status }) => !LOST.includes(status))
  const inStatus = (status: string) => todays.filter((row) => row.status === status).length
  return {
    locations: [...places].sort().map((name) => {
      const here = expected(todays).filter(({ location }) => location === name)
      return {
        name,
        timezone: ZONES[name],
        local_time: wallClock(now, ZONES[name]),
        service_date: today(name),
        reservations_today: here.length,
        covers_today: sum(here, ({ party_size }) => party_size),
        known_until: '2100-12-31',
      }
    }),
    today: {
      total: expected(todays).length,
      confirmed: inStatus('confirmed'),
      pending: inStatus('pending'),
      vip: expected(todays).filter(({ tier }) => VIP.includes(tier ?? '')).length,
      seated: inStatus('seated'),
      completed: inStatus('completed'),
      cancelled: inStatus('cancelled'),
      no_show: inStatus('no_show'),
      covers: sum(expected(todays), ({ party_size }) => party_size),
    },
    upcoming: rows
      .filter(({ status }) => ['pending', 'confirmed'].includes(status))
      .filter((row) => wallOf(row) >= wallClock(now, ZONES[row.location]))
      // The Canaries are an hour behind Madrid, all year round.
      .map((row) => ({ row, key: asUtc(wallOf(row)) + (row.location === 'Canarias' ? HOUR : 0) }))
      .sort((one, other) => one.key - other.key || (one.row.id < other.row.id ? -1 : 1))
      .slice(0, 5)
      .map(({ row }) => ({
        date: row.date,
        time: row.time,
        location: row.location,
        party_size: row.party_size,
        status: row.status,
        ...(row.customer_name === null ? {} : { customer_name: row.customer_name }),
        ...(row.notes === null ? {} : { notes: row.notes }),
        ...(row.tier === null ? {} : { tier: row.tier }),
      })),
    week: {
      reservations: expected(weeks).length,
      covers: sum(expected(weeks), ({ party_size }) => party_size),
      estimated_revenue_eur: sum(
        expected(weeks),
        ({ total_amount, party_size, location }) => total_amount ?? party_size * AVERAGE[location],
      ),
    },
  }
}
