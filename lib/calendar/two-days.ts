import 'server-only'
import type { Session } from '@/lib/auth/session'
import { TIME_ZONE } from '@/lib/i18n/locales'
import { addDays, localDate } from '@/lib/pms/sync/window'
import { localTime } from '@/lib/reservations/service-day'
import { listEvents } from './list-events'
import type { CalendarEvent } from './schema'

const MOST = 50
/** Until 06:00 the night belongs to the evening before, as a service does. */
const NIGHT_MS = 6 * 3_600_000

/**
 * Today's and tomorrow's events, and those under way that began before; in a time zone's days, of a location and
 * of none, or of all.
 */
export async function twoDays(
  session: Pick<Session, 'db'>,
  {
    locationId,
    timezone = TIME_ZONE,
    now = new Date(),
  }: { locationId?: string; timezone?: string; now?: Date },
): Promise<Record<'underWay' | 'today' | 'tomorrow', CalendarEvent[]>> {
  const today = localDate(now, timezone)
  const [from = '', middle = '', to = ''] = [0, 1, 2].map((days) =>
    midnight(addDays(today, days), timezone).toISOString(),
  )
  const { data } = await listEvents(session, { from, to, limit: MOST, underWay: true }, now)
  const here = data.filter(({ location_id }) => !locationId || !location_id || location_id === locationId)
  const between = (one: string, other: string) =>
    here.filter(({ event_datetime: begins }) => one <= begins && begins < other)
  const dawn = new Date(Date.parse(from) + NIGHT_MS).toISOString()
  const underWay = between('', from).filter(({ ends_at }) => (ends_at ?? '') > dawn)
  return { underWay, today: between(from, middle), tomorrow: between(middle, to) }
}

/** When a date begins in a time zone. Twice, because the clocks may change between the guess and the answer. */
function midnight(date: string, timezone: string): Date {
  const utc = Date.parse(`${date}T00:00:00Z`)
  const ahead = (at: number) =>
    Date.parse(`${localDate(new Date(at), timezone)}T${localTime(timezone, new Date(at))}:00Z`) - at
  return new Date(utc - ahead(utc - ahead(utc)))
}
