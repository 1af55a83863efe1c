import { describe, expect, it } from 'vitest'
import { parseCalendarQuery } from '@/components/calendar/calendar-query'
import { eventBody } from '@/components/calendar/event-body'
import { eventsByDate, type ShownEvent } from '@/components/calendar/load-events'
import { addMonths, weeksOf } from '@/components/calendar/month'
import { instantAt, localTime } from '@/lib/dates'

describe('times on a location’s clock', () => {
  it.each([
    ['2026-11-21T20:30', 'Europe/Madrid', '2026-11-21T19:30:00.000Z'],
    ['2026-11-21T20:30', 'Atlantic/Canary', '2026-11-21T20:30:00.000Z'],
    ['2026-07-01T00:15', 'Europe/Madrid', '2026-06-30T22:15:00.000Z'],
    ['2026-07-01T00:15', 'America/New_York', '2026-07-01T04:15:00.000Z'],
  ])('%s in %s is %s, and back', (local, zone, instant) => {
    expect(instantAt(local, zone).toISOString()).toBe(instant)
    expect(localTime(instant, zone)).toBe(local)
  })

  it('on the days the clocks change', () => {
    // 29 March 2026: 02:00 becomes 03:00. 25 October: 03:00 becomes 02:00.
    expect(instantAt('2026-03-29T01:59', 'Europe/Madrid').toISOString()).toBe('2026-03-29T00:59:00.000Z')
    expect(instantAt('2026-03-29T03:00', 'Europe/Madrid').toISOString()).toBe('2026-03-29T01:00:00.000Z')
    expect(instantAt('2026-10-25T03:00', 'Europe/Madrid').toISOString()).toBe('2026-10-25T02:00:00.000Z')
    expect(instantAt('2026-10-25T01:30', 'Europe/Madrid').toISOString()).toBe('2026-10-24T23:30:00.000Z')
  })
})

describe('a month', () => {
  it('begins its weeks on Monday and shows whole ones', () => {
    const weeks = weeksOf('2026-11')
    expect(weeks[0]?.[0]).toBe('2026-10-26')
    expect(weeks.at(-1)?.at(-1)).toBe('2026-12-06')
    expect(weeks).toHaveLength(6)
    // February 2027 is exactly four weeks.
    expect(weeksOf('2027-02').flat()).toHaveLength(28)
    expect(weeks.every((week) => week.length === 7)).toBe(true)
  })

  it('follows another over the turn of the year; nonsense is none', () => {
    expect(addMonths('2026-12', 1)).toBe('2027-01')
    expect(addMonths('2026-01', -1)).toBe('2025-12')
    const monthOf = (month: string) =>
      parseCalendarQuery({ month }, undefined, 'Europe/Madrid', new Date('2026-11-20T12:00:00Z')).month
    expect(monthOf('2026-13')).toBe('2026-11')
    expect(monthOf('2027-02')).toBe('2027-02')
  })
})

describe('an event’s form', () => {
  const filled = (values: Record<string, string>) => {
    const fields = new FormData()
    for (const [name, value] of Object.entries({ title: 'Cata', start: '2026-11-21T20:30', ...values }))
      fields.set(name, value)
    return fields
  }

  it('names the field that is wrong', () => {
    expect(eventBody(filled({ title: ' ' }), 'Europe/Madrid', 'es')).toEqual({ missing: 'title' })
    expect(eventBody(filled({ start: '' }), 'Europe/Madrid', 'es')).toEqual({ missing: 'event_datetime' })
    expect(eventBody(filled({ end: 'mañana' }), 'Europe/Madrid', 'es')).toEqual({ missing: 'ends_at' })
  })

  it('keeps an instant to the second while its time is not touched, and moves it with the clock of its place', () => {
    const event = { event_datetime: '2026-11-21T19:30:17.000Z', ends_at: null } as never
    const same = eventBody(filled({}), 'Europe/Madrid', 'es', event)
    expect(same).toMatchObject({ body: { event_datetime: '2026-11-21T19:30:17.000Z' } })
    const elsewhere = eventBody(filled({}), 'Atlantic/Canary', 'es', event)
    expect(elsewhere).toMatchObject({ body: { event_datetime: '2026-11-21T20:30:00.000Z' } })
    expect(eventBody(filled({}), 'Europe/Madrid', 'es')).not.toHaveProperty('body.customer_id')
  })

  const weekly = { frequency: 'weekly', every: '2', ends: 'never' }
  it.each([
    [{ ends: 'never' }, null],
    // 21 November 2026 is a Saturday.
    [weekly, { frequency: 'weekly', every: 2, weekdays: [6], until: null, count: null }],
    [
      { frequency: 'monthly', every: '1', ends: 'until', until: '2027-06-30', count: '9' },
      { frequency: 'monthly', every: 1, weekdays: null, until: '2027-06-30', count: null },
    ],
    [
      { frequency: 'daily', every: '3', ends: 'count', count: '9', until: '2027-06-30' },
      { frequency: 'daily', every: 3, weekdays: null, until: null, count: 9 },
    ],
  ] as const)('of %j takes the rule %j', (values, repeat) => {
    expect(eventBody(filled(values), 'Europe/Madrid', 'es')).toMatchObject({ body: { repeat } })
  })

  it('takes several weekdays in order, and names the field of the rule that is missing', () => {
    const fields = filled(weekly)
    for (const day of ['6', '2']) fields.append('weekdays', day)
    expect(eventBody(fields, 'Europe/Madrid', 'es')).toMatchObject({ body: { repeat: { weekdays: [2, 6] } } })
    for (const [field, values] of [
      ['repeat.every', { every: '' }],
      ['repeat.every', { every: '1.5' }],
      ['repeat.until', { ends: 'until' }],
      ['repeat.count', { ends: 'count', count: '' }],
    ] as const)
      expect(eventBody(filled({ ...weekly, ...values }), 'Europe/Madrid', 'es')).toEqual({ missing: field })
  })

  it('of a whole day sends days and no time; of a time no days', () => {
    const all = { all_day: 'on', starts_on: '2026-12-24' }
    const { body } = eventBody(filled(all), 'Europe/Madrid', 'es') as { body: object }
    expect(body).toMatchObject({ starts_on: '2026-12-24', ends_on: '2026-12-24' })
    expect(body).not.toHaveProperty('event_datetime')
    expect(eventBody(filled({ ...all, ends_on: '2026-12-26' }), 'Europe/Madrid', 'es')).toMatchObject({
      body: { ends_on: '2026-12-26' },
    })
    expect(eventBody(filled({ all_day: 'on' }), 'Europe/Madrid', 'es')).toEqual({ missing: 'starts_on' })
    expect(eventBody(filled({}), 'Europe/Madrid', 'es')).toMatchObject({
      body: { starts_on: null, ends_on: null },
    })
  })
})

it('on each of its days an all-day event stands before those with a time', () => {
  const event = (title: string, date: string, start: string, lastDate = date) =>
    ({ title, date, start, lastDate }) as ShownEvent
  const fair = event('Feria', '2026-12-02', '', '2026-12-03')
  const early = event('Entrega', '2026-12-02', '06:00')
  const long = event('Obras', '2026-12-01', '09:00', '2026-12-03')
  const days = eventsByDate([early, long, fair], ['2026-12-01', '2026-12-02', '2026-12-03'])
  const shown = [...days].map(([, of]) => of.map(({ event: { title }, goesOn }) => `${title} ${goesOn}`))
  expect(shown).toEqual([
    ['Obras false'],
    ['Feria false', 'Obras true', 'Entrega false'],
    ['Feria true', 'Obras true'],
  ])
})
