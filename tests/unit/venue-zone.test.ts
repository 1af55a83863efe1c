import { expect, test } from 'vitest'
import { localDate } from '@/lib/dates'
import { TIME_ZONE } from '@/lib/i18n/locales'
import { currentServiceDay } from '@/lib/reservations/service-day'
import { zoneWithinService } from '../e2e/venue-zone'

const QUARTER_MS = 15 * 60_000
const REACH_MS = 100 * 60_000

test.each(['2026-01-15', '2026-07-15', '2026-03-29', '2026-10-25'])(
  'on %s, at every quarter of an hour, what the browser tests book around now is of the service under way',
  (date) => {
    const midnight = Date.parse(`${date}T00:00Z`)
    const moments = Array.from({ length: 96 }, (_, quarter) => new Date(midnight + quarter * QUARTER_MS))
    const zones = moments.map(zoneWithinService)
    moments.forEach((now, at) => {
      const zone = zones[at] ?? ''
      const day = (offset: number) => currentServiceDay(zone, new Date(now.getTime() + offset))
      expect([day(-REACH_MS), day(REACH_MS)], `${now.toISOString()} in ${zone}`).toEqual([day(0), day(0)])
      expect(localDate(now, zone), now.toISOString()).toBe(localDate(now, TIME_ZONE))
    })
    expect(zones.filter((zone) => zone === TIME_ZONE).length).toBeGreaterThan(70)
  },
)
