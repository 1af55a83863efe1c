import { TIME_ZONE } from '@/lib/i18n/locales'
import { localTime, serviceMinute } from '@/lib/reservations/service-day'

/** The time zone of the demo's group and of its restaurants on the mainland, in a browser test. */
export const VENUE_ZONE = process.env.DEMO_TIMEZONE ?? TIME_ZONE

/**
 * The time zone in which a run has two hours of the service behind it and ahead: at 06:00 in Madrid one service ends, and
 * a test that books a table for half an hour ago or ahead would book it in the other. Then the group and its restaurants
 * are in Bangkok, where it is about noon of the same date: tests give the group's times in VENUE_ZONE.
 */
export function zoneWithinService(now = new Date()): string {
  const minute = serviceMinute(localTime(TIME_ZONE, now))
  return minute >= 120 && minute < 22 * 60 ? TIME_ZONE : 'Asia/Bangkok'
}
