import { describe, expect, it } from 'vitest'
import { reasonsOf } from '@/components/home/reasons'
import { upTo, weekDays } from '@/components/home/week-days'
import { dayHref, parseDayQuery, reservationHref } from '@/components/reservations/day-query'
import { nextStates } from '@/components/reservations/next-states'
import {
  bodyBefore,
  bookingBody,
  bookingProblems,
  changedFields,
  markBody,
  markProblems,
  refusedField,
} from '@/components/reservations/reservation-body'
import { buildTimeline, placeOf } from '@/components/reservations/timeline-model'
import { visitReason } from '@/components/ui/visit-mark'
import { staleLocations } from '@/lib/locations/stale-data'
import type { GuestToKnow } from '@/lib/overview/customers-to-know'
import type { DailyFigure } from '@/lib/overview/daily-summary'
import { RESERVATION_STATUSES } from '@/lib/pms/status'
import type { ListedReservation, Reservation } from '@/lib/reservations/schema'
import { localTime, serviceMinute, weekStart } from '@/lib/reservations/service-day'

const booking = (time: string, party_size = 2, status = 'confirmed', zone_name = 'Sala') =>
  ({ id: time, reservation_time: time, party_size, status, zone_name }) as ListedReservation
const byZone = (one: ListedReservation) => one.zone_name ?? ''

describe('the timeline', () => {
  it('gives overlapping tables lanes of their own, and a freed lane to the next', () => {
    const { rows } = buildTimeline(
      ['13:00', '13:30', '14:30', '15:00'].map((time) => booking(time)),
      byZone,
    )
    expect(rows[0]?.bars.map(({ lane }) => lane)).toEqual([1, 2, 1, 2])
    expect(rows[0]?.lanes).toBe(2)
  })

  it('puts what comes after midnight at the end', () => {
    const { hours, rows } = buildTimeline([booking('22:00', 3), booking('00:30', 4)], byZone)
    expect(hours.at(-1)?.hour).toBe(1)
    expect(hours.find(({ hour }) => hour === 0)?.covers).toBe(4)
    const [first, last] = rows[0]?.bars ?? []
    expect((last?.column ?? 0) - (first?.column ?? 0)).toBe(30)
  })

  it('counts the guests who come, and shows the others too', () => {
    const { hours, rows } = buildTimeline([booking('21:00', 4), booking('21:15', 9, 'cancelled')], byZone)
    expect(hours.reduce((sum, { covers }) => sum + covers, 0)).toBe(4)
    expect(rows[0]).toMatchObject({ reservations: 1, covers: 4 })
    expect(rows[0]?.bars).toHaveLength(2)
  })

  it('has a row for each zone, and never fewer than six hours', () => {
    const timeline = buildTimeline([booking('21:00'), booking('21:00', 2, 'confirmed', 'Terraza')], byZone)
    expect(timeline.rows.map(({ key }) => key)).toEqual(['Sala', 'Terraza'])
    expect(timeline.hours.length).toBeGreaterThanOrEqual(6)
  })

  it('marks a time on the axis, and none outside it', () => {
    const timeline = buildTimeline([booking('13:00'), booking('21:30')], byZone)
    const [from, to] = [timeline.start, timeline.start + timeline.hours.length * 60]
    expect(placeOf('18:00', timeline)).toBeCloseTo((serviceMinute('18:00') - from) / (to - from))
    expect(placeOf('08:00', timeline)).toBeNull()
    expect(placeOf('05:00', timeline)).toBeNull()
  })
})

describe('the days of a service', () => {
  it('begin weeks on Monday', () => {
    expect(['2026-11-16', '2026-11-19', '2026-11-22', '2026-11-23'].map(weekStart)).toEqual([
      '2026-11-16',
      '2026-11-16',
      '2026-11-16',
      '2026-11-23',
    ])
  })

  it('tell the time of a zone in the same form at midnight', () => {
    expect(localTime('Europe/Madrid', new Date('2026-11-20T23:05:00Z'))).toBe('00:05')
    expect(localTime('Atlantic/Canary', new Date('2026-11-20T23:05:00Z'))).toBe('23:05')
  })
})

it('a week is compared with the same weekdays before, up to today', () => {
  const day = (service_date: string, covers: number) => ({ service_date, covers }) as DailyFigure
  const figures = [
    day('2026-11-09', 10),
    day('2026-11-09', 5),
    day('2026-11-16', 30),
    day('2026-11-17', 7),
    day('2026-11-10', 99),
  ]
  const days = weekDays(figures, '2026-11-16', [])
  expect(days.slice(0, 2)).toEqual([
    { date: '2026-11-16', current: 30, previous: 15 },
    { date: '2026-11-17', current: 7, previous: 99 },
  ])
  expect(upTo(days, '2026-11-16')).toEqual({ current: 30, previous: 15, change: 1 })
  expect(upTo(weekDays([day('2026-11-16', 4)], '2026-11-16', []), '2026-11-22').change).toBeNull()
})

it('a week has no covers, not none, on days the PMS was not asked for', () => {
  const place = { pms_id: 'norte', known_from: '2026-11-10', known_until: '2026-11-17', is_active: true }
  const day = (service_date: string, covers: number) => ({ service_date, covers }) as DailyFigure
  const figures = [day('2026-11-19', 4)]
  const days = weekDays(figures, '2026-11-16', [place])
  expect(days.map(({ current }) => current)).toEqual([0, 0, null, 4, null, null, null])
  expect(days[0]?.previous).toBeNull()
  // Last Monday is not known: there is nothing to compare with.
  const before = [...figures, day('2026-11-10', 8)]
  expect(upTo(weekDays(before, '2026-11-16', [place]), '2026-11-17').change).toBeNull()
  const other = { ...place, pms_id: null }
  expect(weekDays(figures, '2026-11-16', [place, other])[6]?.current).toBe(0)
})

it('data are old of open locations with a PMS whose last sync failed, the oldest first', () => {
  const place = (name: string, synced_at: string | null, change: object = {}) => ({
    id: name,
    name,
    pms_id: name,
    is_active: true,
    synced_at,
    sync_failing_since: '2026-11-20T12:00:00Z',
    sync_failure: 'timeout',
    ...change,
  })
  const stale = staleLocations([
    place('new', '2026-11-20T11:45:00Z'),
    place('old', '2026-11-18T11:45:00Z', { sync_failure: 'refused' }),
    place('never', null, { sync_failure: 'a later version' }),
    place('works', '2026-11-20T12:00:00Z', { sync_failing_since: null }),
    place('closed', null, { is_active: false }),
    place('by hand', null, { pms_id: null }),
  ])
  expect(stale.map(({ name, reason }) => [name, reason])).toEqual([
    ['never', 'unfinished'],
    ['old', 'refused'],
    ['new', 'noAnswer'],
  ])
})

it('a guest’s reasons come in order of weight, with what they need to be said', () => {
  const guest = {
    allergy: true,
    birthday_in: -2,
    vip: true,
    tier: 'Oro',
    away: true,
    last_visit_at: '2026-01-20T12:00:00Z',
    no_shows: 2,
    first_visit: false,
  } as GuestToKnow
  const reasons = reasonsOf(guest, new Date('2026-11-20T12:00:00Z'))
  expect(reasons.map(({ key, count }) => [key, count])).toEqual([
    ['allergy', 0],
    ['birthdayPast', 2],
    ['vip', 0],
    ['away', 9],
    ['noShows', 2],
  ])
})

describe('the form of a reservation', () => {
  const form = (fields: Record<string, string>) => {
    const data = new FormData()
    for (const [name, value] of Object.entries(fields)) data.set(name, value)
    return data
  }
  const filled = {
    location_id: 'x',
    customer_name: ' Ana ',
    customer_phone: '612 345 678',
    reservation_date: '2026-11-20',
    reservation_time: '21:00',
    party_size: '4',
    status: 'confirmed',
  }

  it('sends contact data for whom it does not know, and the id alone for whom it does', () => {
    const typed = bookingBody(form(filled), null)
    expect(typed).toMatchObject({
      customer_name: 'Ana',
      customer_phone: '612 345 678',
      party_size: 4,
      notes: null,
    })
    expect(typed).not.toHaveProperty('customer_id')
    const chosen = bookingBody(form(filled), { id: 'c', name: 'Ana Ruiz' })
    expect(chosen).toMatchObject({ customer_id: 'c', customer_name: 'Ana Ruiz' })
    expect(chosen).not.toHaveProperty('customer_phone')
    expect(bookingProblems(chosen)).toEqual({})
  })

  it('unlinks the customer when only a name is left', () => {
    expect(bookingBody(form({ ...filled, customer_phone: '' }), null)).toMatchObject({ customer_id: null })
  })

  it('tells every field that is missing or wrong', () => {
    expect(bookingProblems(bookingBody(form({ party_size: '2.5' }), null))).toEqual({
      location_id: 'location',
      customer_name: 'name',
      reservation_date: 'date',
      reservation_time: 'time',
      party_size: 'party',
    })
  })

  it('finds the field in what the API refuses', () => {
    expect(refusedField('customer_phone: invalid')).toEqual({ customer_phone: 'phone' })
    expect(refusedField('customer_email or customer_phone: Malformed')).toEqual({ customer_phone: 'phone' })
    expect(refusedField('Forbidden')).toEqual({})
  })

  it.each([
    ['84,50', 84.5],
    ['84.50 €', 84.5],
    ['0', 0],
    ['', null],
  ])('reads the amount %j', (typed, total_amount) => {
    const body = markBody(form({ total_amount: typed, table_name: ' 7 ' }))
    expect(body).toEqual({ total_amount, table_name: '7', notes: null })
    expect(markProblems(body)).toEqual({})
  })

  it.each(['ochenta', '-1', '1,234', '1000001'])('refuses the amount %j', (typed) => {
    expect(markProblems(markBody(form({ total_amount: typed })))).toEqual({ total_amount: 'amount' })
  })

  it('sends only what was changed, and knows what takes it back', () => {
    const stored = { table_name: '4', notes: 'Ventana', total_amount: null, customer_id: 'c' } as Reservation
    const typed = markBody(form({ total_amount: '84,50', table_name: '4', notes: '' }))
    const changes = changedFields(stored, typed)
    expect(changes).toEqual({ total_amount: 84.5, notes: null })
    expect(bodyBefore(stored, changes)).toEqual({ total_amount: null, notes: 'Ventana' })
    expect(bodyBefore(stored, { customer_phone: '612 345 678' })).toEqual({ customer_id: 'c' })
  })
})

describe('what a reservation can become', () => {
  it('is a way on and a way back from every state, during the service and the next morning', () => {
    for (const status of RESERVATION_STATUSES)
      for (const visited of [null, false, true]) {
        const next = nextStates({ status, visited })
        expect(next).not.toContain(status)
        expect(next.length).toBeGreaterThan(1)
      }
    expect(nextStates({ status: 'confirmed', visited: null })[0]).toBe('seated')
    expect(nextStates({ status: 'confirmed', visited: true })[0]).toBe('completed')
  })

  it('is always what the PMS says, where staff marked something else', () => {
    expect(nextStates({ status: 'no_show', visited: false }, 'pending')).toContain('pending')
    expect(nextStates({ status: 'no_show', visited: false }, 'no_show')).not.toContain('no_show')
  })

  it.each([
    ['confirmed', null, null],
    ['completed', true, null],
    ['no_show', false, null],
    ['cancelled', false, null],
    ['seated', true, 'seated'],
    ['confirmed', true, 'unmarked'],
    ['confirmed', false, 'uncounted'],
    ['pending', false, 'pending'],
  ] as const)('says why %s with visited %j is a visit or not: %j', (status, visited, reason) => {
    expect(visitReason({ status, visited })).toBe(reason)
  })
})

describe('the address of the reservations', () => {
  const id = '9b2d7a4e-1c5f-4e0b-8a63-5d1f2e7c9b10'
  const query = {
    view: 'timeline',
    date: '2031-02-03',
    status: 'seated,nope',
    source: 'manual',
    q: 'ana',
    cursor: 'c',
  }

  it('says what is shown, and stays the same when read again', () => {
    const day = parseDayQuery({ ...query, reservation: id }, undefined)
    expect(day).toMatchObject({ view: 'timeline', statuses: ['seated'], source: 'manual', reservation: id })
    const again = new URL(reservationHref(day, id), 'http://x').searchParams
    expect(parseDayQuery(Object.fromEntries(again), undefined)).toEqual(day)
  })

  it('closes the drawer and goes back to the first page when anything else changes', () => {
    const day = parseDayQuery({ ...query, reservation: id }, undefined)
    expect(dayHref(day, { view: 'list' })).toBe(
      '/reservations?date=2031-02-03&status=seated&source=manual&q=ana',
    )
  })

  it('is read as the list when it makes no sense', () => {
    const day = parseDayQuery(
      { view: 'x', source: 'import', reservation: '1;drop', date: '2031-13-01' },
      undefined,
    )
    expect(day).toMatchObject({ view: 'list', source: undefined, reservation: undefined, date: day.today })
  })
})
