import { describe, expect, it } from 'vitest'
import { changeBody } from '@/components/forms/changes'
import { served, weekDays } from '@/components/home/week-compare'
import { dayHref, parseDayQuery, reservationHref } from '@/components/reservations/day-query'
import {
  bodyBefore,
  bookingBody,
  invalidFields,
  isAmount,
  markBody,
} from '@/components/reservations/reservation-body'
import { nextStates } from '@/components/reservations/reservation-controls'
import { buildTimeline, placeOf } from '@/components/reservations/timeline-model'
import { visitReason } from '@/components/ui/visit-mark'
import type { DailyFigure } from '@/lib/overview/reads'
import { reasonsOf } from '@/lib/overview/reasons'
import type { GuestToKnow } from '@/lib/overview/schema'
import { staleLocations } from '@/lib/pms/stale-locations'
import type { ListedReservation, Reservation } from '@/lib/reservations/schema'
import { localTime, serviceDayOf, serviceMinute, weekStart } from '@/lib/reservations/service-day'
import { RESERVATION_STATUSES } from '@/lib/reservations/status'

const booking = (time: string, party_size = 2, status = 'confirmed', zone_name = 'Sala') =>
  ({ id: time, reservation_time: time, party_size, status, zone_name }) as ListedReservation
const byZone = (one: ListedReservation) => one.zone_name ?? ''

describe('the timeline', () => {
  it('gives each of two overlapping tables a lane, and reuses a lane once its table is free', () => {
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

it('what a week served is compared with the same weekdays before, apart from what is booked', () => {
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
  // Tonight is booked, not served.
  expect(served(days, '2026-11-17')).toEqual({ current: 30, previous: 15, change: 1, ahead: 7 })
  expect(served(days, '2026-11-16')).toMatchObject({ current: 0, change: null, ahead: 37 })
  expect(served(weekDays([day('2026-11-16', 4)], '2026-11-16', []), '2026-11-22').change).toBeNull()
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
  expect(served(weekDays(before, '2026-11-16', [place]), '2026-11-17').change).toBeNull()
  const other = { ...place, pms_id: null }
  expect(weekDays(figures, '2026-11-16', [place, other])[6]?.current).toBe(0)
})

it('lists active locations whose last sync failed, the stalest first', () => {
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
    ...['rate_limited', 'http_status', 'not_json'].map((sync_failure, day) =>
      place(sync_failure, `2026-11-1${day}T11:45:00Z`, { sync_failure }),
    ),
    place('never', null, { sync_failure: 'a later version' }),
    place('works', '2026-11-20T12:00:00Z', { sync_failing_since: null }),
    place('closed', null, { is_active: false }),
    place('by hand', null, { pms_id: null }),
  ])
  expect(stale.map(({ name, reason }) => [name, reason])).toEqual([
    ['never', 'unfinished'],
    ['rate_limited', 'busy'],
    ['http_status', 'error'],
    ['not_json', 'unreadable'],
    ['old', 'refused'],
    ['new', 'noAnswer'],
  ])
})

it('sorts a guest’s reasons by importance and gives each the number its text needs', () => {
  const guest = {
    allergy: true,
    facts: [],
    birthday_in: -2,
    vip: true,
    tier: 'Oro',
    away: true,
    last_visit_at: '2026-01-20T12:00:00Z',
    no_shows: 2,
    first_visit: false,
  } as unknown as GuestToKnow
  const reasons = reasonsOf(guest, new Date('2026-11-20T12:00:00Z'))
  expect(reasons.map(({ key, count }) => [key, count])).toEqual([
    ['allergy', 0],
    ['birthdayPast', 2],
    ['vip', 0],
    ['away', 9],
    ['noShows', 2],
  ])
  const facts = [
    { code: 'nuts', kind: 'allergy', note: null },
    { code: 'vegan', kind: 'diet', note: null },
  ] as const
  const recorded = reasonsOf({ ...guest, facts: [...facts] }, new Date('2026-11-20T12:00:00Z'))
  expect(recorded.map(({ key, code }) => [key, code]).slice(0, 2)).toEqual([
    ['allergyTo', 'nuts'],
    ['birthdayPast', undefined],
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

  it('sends contact data for an unknown guest, only the id for a known one', () => {
    const typed = bookingBody(form(filled), null, 'es')
    expect(typed).toMatchObject({
      customer_name: 'Ana',
      customer_phone: '612 345 678',
      party_size: 4,
      notes: null,
    })
    expect(typed).not.toHaveProperty('customer_id')
    const chosen = bookingBody(form(filled), { id: 'c', name: 'Ana Ruiz' }, 'es')
    expect(chosen).toMatchObject({ customer_id: 'c', customer_name: 'Ana Ruiz' })
    expect(chosen).not.toHaveProperty('customer_phone')
    expect(invalidFields(chosen)).toEqual([])
  })

  it('sends a time after midnight with the next date: the form has the day of the service', () => {
    const at = (reservation_time: string) =>
      bookingBody(form({ ...filled, reservation_date: '2026-11-30', reservation_time }), null, 'es')
    expect(at('00:30')).toMatchObject({ reservation_date: '2026-12-01', reservation_time: '00:30' })
    expect(at('05:59').reservation_date).toBe('2026-12-01')
    expect(at('06:00').reservation_date).toBe('2026-11-30')
    expect(at('').reservation_date).toBe('2026-11-30')
    expect(serviceDayOf('2026-12-01', '05:59')).toBe('2026-11-30')
    expect(serviceDayOf('2026-12-01', '06:00')).toBe('2026-12-01')
  })

  it('unlinks the customer when only a name is left', () => {
    expect(bookingBody(form({ ...filled, customer_phone: '' }), null, 'es')).toMatchObject({
      customer_id: null,
    })
  })

  it('names every field that is missing or invalid', () => {
    expect(invalidFields(bookingBody(form({ party_size: '2.5', total_amount: 'x' }), null, 'es'))).toEqual([
      'location_id',
      'customer_name',
      'reservation_date',
      'reservation_time',
      'party_size',
      'total_amount',
    ])
  })

  it.each([
    ['84,50', 84.5],
    ['84.50 €', 84.5],
    ['0', 0],
    ['', null],
  ])('reads the amount %j', (typed, total_amount) => {
    const body = markBody(form({ total_amount: typed, table_name: ' 7 ' }), 'es')
    expect(body).toEqual({ total_amount, table_name: '7', notes: null })
    expect(isAmount(body)).toBe(true)
  })

  it.each(['ochenta', '-1', '1,234', '1000001'])('refuses the amount %j', (typed) => {
    expect(isAmount(markBody(form({ total_amount: typed }), 'es'))).toBe(false)
  })

  it('sends only the changed fields, and can build the request that undoes them', () => {
    const stored = { table_name: '4', notes: 'Ventana', total_amount: null, customer_id: 'c' } as Reservation
    const typed = markBody(form({ total_amount: '84,50', table_name: '4', notes: '' }), 'es')
    const { loaded, ...changes } = changeBody(typed, { loaded: stored })
    expect(changes).toEqual({ total_amount: 84.5, notes: null })
    expect(loaded).toEqual({ total_amount: null, notes: 'Ventana' })
    // An undo asks only about another party at the table.
    const confirm = ['service_over', 'table_too_small', 'closed', 'outside_hours', 'unusual_amount']
    expect(bodyBefore(stored, changes)).toEqual({ total_amount: null, notes: 'Ventana', confirm })
    expect(bodyBefore(stored, { customer_phone: '612 345 678' })).toEqual({ customer_id: 'c', confirm })
  })
})

describe('what a reservation can become', () => {
  it('lets every status move forward and back, during the service and the next morning', () => {
    for (const status of RESERVATION_STATUSES)
      for (const visited of [null, false, true]) {
        const next = nextStates({ status, visited })
        expect(next).not.toContain(status)
        expect(next.length).toBeGreaterThan(1)
      }
    expect(nextStates({ status: 'confirmed', visited: null })[0]).toBe('seated')
    expect(nextStates({ status: 'confirmed', visited: true })[0]).toBe('completed')
  })

  it('lets nobody come or stay away before the day, and every status move back', () => {
    for (const status of RESERVATION_STATUSES) {
      const next = nextStates({ status, visited: null }, undefined, true)
      expect(next.length, status).toBeGreaterThan(0)
      for (const then of ['seated', 'completed', 'no_show'] as const) expect(next, status).not.toContain(then)
    }
    expect(nextStates({ status: 'confirmed', visited: null }, undefined, true)).toEqual(['cancelled'])
  })

  it('always offers the PMS’s own status when staff marked another', () => {
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
  ] as const)('explains status %s, visited %j with %j', (status, visited, reason) => {
    expect(visitReason({ status, visited })).toBe(reason)
  })
})

describe('the address of the reservations', () => {
  const id = '9b2d7a4e-1c5f-4e0b-8a63-5d1f2e7c9b10'
  const query = {
    view: 'timeline',
    date: '2031-02-03',
    status: 'seated',
    source: 'manual',
    search: 'ana',
    cursor: 'c',
  }

  it('says what is shown, and stays the same when read again', () => {
    const day = parseDayQuery({ ...query, reservation: id }, undefined, 'Europe/Madrid')
    expect(day).toMatchObject({ view: 'timeline', status: ['seated'], source: 'manual', reservation: id })
    const again = new URL(reservationHref(day, id), 'http://x').searchParams
    expect(parseDayQuery(Object.fromEntries(again), undefined, 'Europe/Madrid')).toEqual(day)
  })

  it('closes the drawer and goes back to the first page when anything else changes', () => {
    const day = parseDayQuery({ ...query, reservation: id }, undefined, 'Europe/Madrid')
    expect(dayHref(day, { view: 'list' })).toBe(
      '/reservations?date=2031-02-03&status=seated&source=manual&search=ana',
    )
  })

  it('falls back to the list when the address is invalid', () => {
    const day = parseDayQuery(
      { view: 'x', status: 'seated,nope', source: 'import', reservation: '1;drop', date: '2031-13-01' },
      undefined,
      'Europe/Madrid',
    )
    expect(day).toEqual({ view: 'list', date: day.today, today: day.today, location: undefined })
  })
})
