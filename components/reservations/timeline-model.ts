import { EXPECTED } from '@/components/ui/service-count'
import { serviceHour, serviceMinute } from '@/components/ui/service-day'
import type { ListedReservation } from '@/lib/reservations/schema'

/** How long a bar is, in minutes. */
const STAY_MINUTES = 90
/** The grid's columns are five minutes wide. */
export const COLUMN_MINUTES = 5
const SHORTEST_HOURS = 6

export interface Bar {
  reservation: ListedReservation
  /** The grid column in which it begins, from 1. */
  column: number
  /** Its lane among overlapping reservations, from 1. */
  lane: number
}

export interface TimelineRow {
  key: string
  bars: Bar[]
  lanes: number
  reservations: number
  covers: number
}

export interface Timeline {
  /** The hours of the axis with the covers that arrive in each. */
  hours: { hour: number; covers: number }[]
  /** Minutes from the start of the service to the axis' left edge. */
  start: number
  rows: TimelineRow[]
}

/** A day's reservations on an axis of hours: a row per key, with as many lanes as reservations overlap. */
export function buildTimeline(
  reservations: readonly ListedReservation[],
  keyOf: (reservation: ListedReservation) => string,
): Timeline {
  const minutes = reservations.map((one) => serviceMinute(one.reservation_time))
  const last = Math.min(24, Math.ceil((Math.max(...minutes) + STAY_MINUTES) / 60))
  const first = Math.max(0, Math.min(Math.floor(Math.min(...minutes) / 60), last - SHORTEST_HOURS))
  const hours = Array.from({ length: Math.max(SHORTEST_HOURS, last - first) }, (_, index) => ({
    hour: serviceHour(first + index),
    covers: 0,
  }))
  const rows = new Map<string, TimelineRow>()
  for (const reservation of reservations) {
    const key = keyOf(reservation)
    const row = rows.get(key) ?? { key, bars: [], lanes: 0, reservations: 0, covers: 0 }
    rows.set(key, row)
    const at = serviceMinute(reservation.reservation_time) - first * 60
    const column = Math.floor(at / COLUMN_MINUTES) + 1
    const lane = freeLane(row.bars, column)
    row.bars.push({ reservation, column, lane })
    row.lanes = Math.max(row.lanes, lane)
    if (!EXPECTED.includes(reservation.status)) continue
    row.reservations += 1
    row.covers += reservation.party_size
    const hour = hours[Math.floor(at / 60)]
    if (hour) hour.covers += reservation.party_size
  }
  return { hours, start: first * 60, rows: [...rows.values()] }
}

function freeLane(bars: readonly Bar[], column: number): number {
  const free = column - STAY_MINUTES / COLUMN_MINUTES
  const taken = new Set(bars.filter((bar) => bar.column > free).map(({ lane }) => lane))
  let lane = 1
  while (taken.has(lane)) lane += 1
  return lane
}

/** The position of a local time (HH:mm) on the axis, from 0 (left) to 1; null when it is outside. */
export function placeOf(time: string, { start, hours }: Timeline): number | null {
  const place = (serviceMinute(time) - start) / (hours.length * 60)
  return place >= 0 && place <= 1 ? place : null
}
