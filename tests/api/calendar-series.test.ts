import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { twoDays } from '@/lib/calendar/events'
import type { CalendarEvent } from '@/lib/calendar/schema'
import { addDays, instantAt, localDate, localTime } from '@/lib/dates'
import { type Client, startApp, type TestApp } from '../support/app'
import { stopClock } from '../support/clock'
import { emptyTables } from '../support/empty-tables'
import { arrangeNotices, type Notices, plusMinutes } from '../support/notices'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

const PATH = '/api/calendar-events'
const ZONE = 'Europe/Madrid'
/** A Monday ahead, from which the clocks go back within the first year. */
stopClock()
const TODAY = localDate(new Date(), ZONE)
const MONDAY = addDays(TODAY, 8 - (new Date(`${TODAY}T00:00:00Z`).getUTCDay() || 7))
/** Series may not begin more than 400 days ago, so these years go with today. */
const YEAR = Number(TODAY.slice(0, 4))
const NEXT = YEAR + 1
const FEBRUARY_ENDS = addDays(`${NEXT}-03-01`, -1)
const WEDNESDAY = addDays(MONDAY, 2)
const WEEKLY = { frequency: 'weekly', every: 1, weekdays: null, until: null, count: 6 }

let app: TestApp
let place: Notices
let boss: Client
let cook: Client
let bound: Client
let customer: string

beforeAll(async () => {
  app = await startApp()
  place = await arrangeNotices(app.stack)
  boss = await signedIn(place.people.boss)
  cook = await signedIn(place.people.cook)
  bound = await signedIn(place.people.boundAdmin)
  customer = await place.newCustomer('ana@correo.example')
})
afterEach(() => place.clear())
afterAll(() => app?.close())

const call = (client: Client, method: string, path: string, body?: unknown) =>
  client.request(method, path, body === undefined ? {} : { body }).then(answer)
const create = async (fields: object = {}, client = boss): Promise<CalendarEvent> => {
  const event = { title: 'Briefing', event_datetime: `${MONDAY}T10:00:00Z`, repeat: WEEKLY, ...fields }
  const { status, body } = await call(client, 'POST', PATH, event)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}
const list = async (client = boss, query = ''): Promise<CalendarEvent[]> => {
  const { status, body } = await call(client, 'GET', `${PATH}?from=2000-01-01T00:00:00Z&limit=200${query}`)
  expect(status).toBe(200)
  return body.data
}
const patch = async (event: CalendarEvent | undefined, scope: string, body: object, client = boss) => {
  const saved = await call(client, 'PATCH', `${PATH}/${event?.id}?scope=${scope}`, body)
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  return saved.body.data as CalendarEvent
}
const remove = async (event: CalendarEvent | undefined, scope: string, client = boss) =>
  (await client.request('DELETE', `${PATH}/${event?.id}?scope=${scope}`)).status
const days = (events: CalendarEvent[]) =>
  events.map(({ event_datetime, starts_on }) => starts_on ?? localDate(new Date(event_datetime), ZONE))
const clocks = (events: CalendarEvent[]) =>
  events.map(({ event_datetime }) => localTime(event_datetime, ZONE).slice(11))
const titles = (events: CalendarEvent[]) => events.map(({ title }) => title)
/** So many weeks after MONDAY. */
const week = (weeks: number) => addDays(MONDAY, 7 * weeks)

describe('an event that repeats', () => {
  it.each([
    ['daily', { every: 3, count: 3 }, `${NEXT}-01-30`, [`${NEXT}-01-30`, `${NEXT}-02-02`, `${NEXT}-02-05`]],
    [
      'daily',
      { until: `${NEXT}-02-01` },
      `${NEXT}-01-30`,
      [`${NEXT}-01-30`, `${NEXT}-01-31`, `${NEXT}-02-01`],
    ],
    // The Monday before the Wednesday is none of them, the day itself is.
    [
      'weekly',
      { every: 2, weekdays: [5, 1], count: 4 },
      WEDNESDAY,
      [0, 2, 12, 14].map((n) => addDays(WEDNESDAY, n)),
    ],
    [
      'monthly',
      { count: 4 },
      `${YEAR}-12-31`,
      [`${YEAR}-12-31`, `${NEXT}-01-31`, FEBRUARY_ENDS, `${NEXT}-03-31`],
    ],
    [
      'monthly',
      { every: 2, until: `${NEXT}-04-30` },
      `${YEAR}-12-15`,
      [`${YEAR}-12-15`, `${NEXT}-02-15`, `${NEXT}-04-15`],
    ],
    // The third, within its rule, is more than 400 days away.
    ['yearly', { until: `${YEAR + 3}-01-01` }, `${YEAR}-12-24`, [`${YEAR}-12-24`, `${NEXT}-12-24`]],
  ])('%s %j from %s is on %j', async (frequency, rule, first, expected) => {
    const event = await create({
      event_datetime: `${first}T12:00:00+01:00`,
      ends_at: `${first}T13:30:00+01:00`,
      repeat: { frequency, ...rule },
    })
    const all = await list()
    expect(days(all)).toEqual(expected)
    expect(all[0]?.id).toBe(event.id)
    expect(new Set(all.map(({ series_id }) => series_id))).toEqual(new Set([event.series_id]))
    const lengths = all.map(
      ({ event_datetime, ends_at }) => Date.parse(`${ends_at}`) - Date.parse(event_datetime),
    )
    expect(new Set(lengths)).toEqual(new Set([5_400_000]))
  })

  it('keeps its local time over both clock changes, by the clock of its location', async () => {
    const at = { event_datetime: `${NEXT}-03-21T10:00:00+01:00`, ends_at: `${NEXT}-03-21T11:00:00+01:00` }
    await create({ ...at, repeat: { ...WEEKLY, count: 40 } })
    expect(new Set(clocks(await list()))).toEqual(new Set(['10:00']))
    await place.clear()
    await create({ ...at, location_id: place.location('Canarias'), repeat: { ...WEEKLY, count: 40 } })
    const local = (await list()).map(({ event_datetime }) =>
      localTime(event_datetime, 'Atlantic/Canary').slice(11),
    )
    expect(local).toHaveLength(40)
    expect(new Set(local)).toEqual(new Set(['09:00']))
  })

  it('without end is there for 400 days, and the night goes on with it, once', async () => {
    const event = await create({
      repeat: { frequency: 'daily', every: 7 },
      assignee_id: place.people.cook.id,
    })
    expect(event.repeat).toEqual({ frequency: 'daily', every: 7, weekdays: null, until: null, count: null })
    const before = await list()
    expect(before).toHaveLength(58)
    await patch(before.at(-1), 'one', { title: 'Otra cosa' })
    expect(await remove(before[3], 'one')).toBe(204)
    const night = (at: string) =>
      app.stack.sql('select public.tidy_up($1, $2::timestamptz, 1000)', [place.group.id, `${at}T03:00:00Z`])
    await night(addDays(MONDAY, 20))
    expect(await list()).toHaveLength(57)
    for (const _ of [1, 2]) await night(addDays(MONDAY, 70))
    const after = await list()
    expect(after).toHaveLength(57 + 10)
    expect(days(after.slice(-10))).toEqual(Array.from({ length: 10 }, (_, at) => week(58 + at)))
    expect(after.at(-1)).toMatchObject({ title: 'Briefing', assignee_id: place.people.cook.id })
    expect(new Set(clocks(after)).size).toBe(1)
  })

  it('each occurrence is announced and reminded of once', async () => {
    const fields = { customer_id: customer, assignee_id: place.people.cook.id, reminder_minutes: 60 }
    await create({ ...fields, repeat: { frequency: 'daily', count: 3 } })
    const [first, second] = await list()
    const due = async (event?: CalendarEvent) => {
      const now = plusMinutes(-30, event?.event_datetime)
      return [
        await place.queue('queue_event_notifications', now),
        await place.queue('queue_event_reminders', now),
      ]
    }
    expect(await due(first)).toEqual([1, 1])
    expect(await due(first)).toEqual([0, 0])
    expect(await due(second)).toEqual([1, 1])
    // Moved as a whole, each is announced again.
    await patch(second, 'all', { event_datetime: plusMinutes(15, second?.event_datetime) })
    const sent = (await list()).map(({ notification_sent, reminder_sent }) => [
      notification_sent,
      reminder_sent,
    ])
    expect(sent).toEqual([
      [false, false],
      [false, false],
      [false, false],
    ])
  })

  it.each([
    ['until and count', { ...WEEKLY, until: '2030-01-01' }, 'repeat.count'],
    ['weekdays of a month', { ...WEEKLY, frequency: 'monthly', weekdays: [1] }, 'repeat.weekdays'],
    ['no frequency', { count: 3 }, 'repeat.frequency'],
    ['501 times', { ...WEEKLY, count: 501 }, 'repeat.count'],
    ['every 0 weeks', { ...WEEKLY, every: 0 }, 'repeat.every'],
    ['an eighth day', { ...WEEKLY, weekdays: [8] }, 'repeat.weekdays'],
    ['an end before it', { ...WEEKLY, count: null, until: '2020-01-01' }, 'repeat.until'],
    ['more than it knows', { ...WEEKLY, id: crypto.randomUUID() }, 'repeat'],
  ])('refuses %s', async (_, repeat, path) => {
    const body = { title: 'Briefing', event_datetime: `${MONDAY}T10:00:00Z`, repeat }
    const refused = await call(boss, 'POST', PATH, body)
    expect(refused).toEqual(refusal('INVALID_INPUT'))
    expect(refused.body.issues[0].path.startsWith(path), JSON.stringify(refused.body)).toBe(true)
    expect(await list()).toEqual([])
  })

  it('does not begin long ago, when all its past would have to be made', async () => {
    const event_datetime = `${addDays(TODAY, -402)}T10:00:00Z`
    const body = { title: 'Briefing', event_datetime, repeat: WEEKLY }
    expect(await call(boss, 'POST', PATH, body)).toEqual(refusal('INVALID_INPUT'))
    expect(await list()).toEqual([])
  })
})

it.each([
  ['moved by years', { event_datetime: '2150-01-01T10:00:00Z' }],
  ['made to last for years', { ends_at: '2199-12-31T10:00:00Z' }],
])('a series is not %s', async (_, body) => {
  const event = await create()
  const before = await list()
  for (const scope of ['all', 'following'])
    expect(await call(boss, 'PATCH', `${PATH}/${event.id}?scope=${scope}`, body)).toEqual(
      refusal('INVALID_INPUT'),
    )
  expect(await list()).toEqual(before)
  expect((await patch(event, 'one', body)).series_id).toBe(event.series_id)
})

it('the last year that is taken has no series', async () => {
  const body = { title: 'Briefing', event_datetime: '2199-12-31T23:59:59Z', repeat: { frequency: 'daily' } }
  expect(await call(boss, 'POST', PATH, body)).toEqual(refusal('INVALID_INPUT'))
})

describe('a change of a series', () => {
  it('of one occurrence changes nothing else, also from a client that knows no series', async () => {
    await create()
    const [, second] = await list()
    await call(boss, 'PATCH', `${PATH}/${second?.id}`, {
      title: 'Solo este',
      event_datetime: `${week(1)}T12:00:00Z`,
    })
    const all = await list()
    expect(titles(all)).toEqual(['Briefing', 'Solo este', ...Array(4).fill('Briefing')])
    expect(all.filter(({ event_datetime }) => event_datetime.includes('T12:'))).toHaveLength(1)
  })

  it('of all leaves what was changed of an occurrence alone, field by field', async () => {
    await create({ assignee_id: place.people.cook.id })
    const [first, second] = await list()
    await patch(second, 'one', { title: 'Solo este' })
    await patch(first, 'all', { title: 'Reunión', assignee_id: place.people.boss.id, reminder_minutes: 15 })
    const all = await list()
    expect(titles(all)).toEqual(['Reunión', 'Solo este', ...Array(4).fill('Reunión')])
    expect(new Set(all.map((event) => `${event.assignee_id} ${event.reminder_minutes}`))).toEqual(
      new Set([`${place.people.boss.id} 15`]),
    )
    // Changed for all from that very one, it is as the others again.
    await patch(second, 'all', { title: 'Todos' })
    expect(new Set(titles(await list()))).toEqual(new Set(['Todos']))
  })

  it('moves them to another day and time; deleted ones stay away, moved ones where they are', async () => {
    await create({ repeat: { ...WEEKLY, weekdays: [1, 4] }, event_datetime: `${MONDAY}T09:00:00Z` })
    const before = await list()
    expect(await remove(before[2], 'one')).toBe(204)
    await patch(before[3], 'one', { event_datetime: `${addDays(week(1), 5)}T09:00:00Z` })
    // From Thursday to Friday, an hour later.
    const local = `${addDays(MONDAY, 4)}T10:00:00Z`
    const moved = await patch(before[1], 'all', { event_datetime: local })
    expect(moved.repeat?.weekdays).toEqual([2, 5])
    expect(days(await list())).toEqual([1, 4, 12, 15, 18].map((later) => addDays(MONDAY, later)))
    const hours = new Set(clocks((await list()).filter(({ id }) => id !== before[3]?.id)))
    expect(hours).toEqual(new Set([localTime(local, ZONE).slice(11)]))
  })

  it('of a month’s last day keeps it', async () => {
    await create({ event_datetime: `${NEXT}-01-30T12:00:00Z`, repeat: { frequency: 'monthly', count: 4 } })
    const [, second] = await list()
    const all = [`${NEXT}-01-30`, FEBRUARY_ENDS, `${NEXT}-03-30`, `${NEXT}-04-30`]
    expect(days(await list())).toEqual(all)
    await patch(second, 'following', { event_datetime: `${FEBRUARY_ENDS}T14:00:00Z` })
    expect(days(await list())).toEqual(all)
  })

  it('from one on makes two series, whose times are counted on', async () => {
    await create()
    const third = (await list())[2]
    const changed = await patch(third, 'following', { title: 'Nuevo' })
    const all = await list()
    expect(titles(all)).toEqual(['Briefing', 'Briefing', ...Array(4).fill('Nuevo')])
    expect(new Set(all.map(({ series_id }) => series_id)).size).toBe(2)
    expect(changed.repeat?.count).toBe(4)
    expect(all[0]?.repeat).toMatchObject({ until: addDays(week(2), -1), count: null })
  })

  it('by another rule begins with the event, and ends the former series before it', async () => {
    await create()
    const third = (await list())[2]
    expect(await call(boss, 'PATCH', `${PATH}/${third?.id}`, { repeat: null })).toEqual(
      refusal('INVALID_INPUT'),
    )
    const daily = { frequency: 'daily', every: 2, weekdays: null, until: null, count: 3 }
    const changed = await patch(third, 'following', { repeat: daily, title: 'Diario' })
    expect(changed).toMatchObject({ id: third?.id, repeat: daily, title: 'Diario' })
    expect(days(await list())).toEqual([MONDAY, week(1), week(2), addDays(week(2), 2), addDays(week(2), 4)])
    expect(await patch(third, 'following', { repeat: null })).toMatchObject({ series_id: null, repeat: null })
    expect(days(await list())).toEqual([MONDAY, week(1), week(2)])
  })

  it('makes a series of an event that did not repeat', async () => {
    const event = await create({ repeat: null })
    expect(event.series_id).toBeNull()
    const changed = await patch(event, 'one', { repeat: { frequency: 'weekly', weekdays: [3] } })
    expect(changed.repeat?.weekdays).toEqual([1, 3])
    expect(days(await list()).slice(0, 3)).toEqual([MONDAY, addDays(MONDAY, 2), week(1)])
  })

  it('reaches only the locations of the person', async () => {
    await create()
    const [first, second] = await list()
    await patch(second, 'one', { location_id: place.location('Canarias') })
    await patch(first, 'all', { title: 'Nuevo' }, bound)
    expect(titles(await list())).toEqual(['Nuevo', 'Briefing', ...Array(4).fill('Nuevo')])
    expect(await remove(first, 'all', bound)).toBe(204)
    expect(await list()).toEqual([expect.objectContaining({ id: second?.id })])
    expect(await call(bound, 'PATCH', `${PATH}/${second?.id}?scope=all`, { title: 'x' })).toMatchObject({
      status: 404,
    })
  })
})

describe('two people and a series', () => {
  it('refuses a field of a series that another one changed for the series meanwhile', async () => {
    await create()
    const [first, second] = await list()
    await patch(first, 'all', { title: 'De Ana' }, cook)
    const mine = { title: 'De Luis', loaded: { title: 'Briefing' } }
    for (const scope of ['one', 'following', 'all']) {
      const refused = await call(boss, 'PATCH', `${PATH}/${second?.id}?scope=${scope}`, mine)
      expect(refused).toEqual(refusal('EDITED_MEANWHILE'))
      expect(refused.body.current).toEqual({ title: 'De Ana' })
    }
    expect(new Set(titles(await list()))).toEqual(new Set(['De Ana']))
    await patch(second, 'all', { title: 'De Luis', loaded: { title: 'De Ana' } })
    expect(new Set(titles(await list()))).toEqual(new Set(['De Luis']))
  })

  it('refuses another rule where the rule was changed meanwhile', async () => {
    const event = await create()
    const theirs = (await patch(event, 'following', { repeat: { ...WEEKLY, count: 3 } }, cook)).repeat
    const mine = { repeat: { ...WEEKLY, count: 9 }, loaded: { repeat: event.repeat } }
    const refused = await call(boss, 'PATCH', `${PATH}/${event.id}?scope=following`, mine)
    expect(refused).toEqual(refusal('EDITED_MEANWHILE'))
    expect(refused.body.current).toEqual({ repeat: theirs })
    expect(await list()).toHaveLength(3)
  })

  it('lets one of two simultaneous changes of one field of a series through', async () => {
    await create()
    const [first, second] = await list()
    const change = (client: Client, event: CalendarEvent | undefined, title: string) =>
      call(client, 'PATCH', `${PATH}/${event?.id}?scope=all`, { title, loaded: { title: 'Briefing' } })
    const race = await Promise.all([change(boss, first, 'Uno'), change(cook, second, 'Otro')])
    expect(race.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(new Set(titles(await list())).size).toBe(1)
  })
})

describe('deleting', () => {
  it.each([
    ['one', [0, 1, 3, 4, 5]],
    ['following', [0, 1]],
    ['all', []],
  ])('%s of a series leaves the others, and the night does not bring them back', async (scope, left) => {
    await create({ customer_id: customer })
    expect(await remove((await list())[2], scope)).toBe(204)
    expect(days(await list())).toEqual(left.map(week))
    await app.stack.sql(`select public.tidy_up($1, now() + interval '2 years', 1000)`, [place.group.id])
    expect(days(await list())).toEqual(left.map(week))
    const series = await app.stack.sql('select 1 from private.calendar_series')
    expect(series).toHaveLength(left.length > 0 ? 1 : 0)
  })

  it('a series is one line of the audit log', async () => {
    await app.stack.sql(emptyTables('audit_log'))
    const event = await create()
    await create({ title: 'Sola', repeat: null })
    expect(await remove(event, 'all')).toBe(204)
    const lines = await app.stack.sql(`select action, subject from public.audit_log`)
    expect(lines).toEqual([{ action: 'calendar_event.deleted', subject: 'Briefing' }])
  })

  it('withdraws what waits in the outbox', async () => {
    await create({ customer_id: customer, repeat: { frequency: 'daily', count: 3 } })
    const [first] = await list()
    await place.queue('queue_event_notifications', plusMinutes(-60, first?.event_datetime))
    expect(await remove(first, 'all')).toBe(204)
    expect((await place.messages()).map(({ status }) => status)).toEqual(['skipped'])
  })
})

describe('an all-day event', () => {
  const FAIR = { title: 'Feria', starts_on: '2027-03-27', ends_on: '2027-03-29', event_datetime: undefined }

  it('covers its days from midnight to midnight on the clock of its place', async () => {
    const madrid = await create({ ...FAIR, repeat: null })
    expect(madrid).toMatchObject({
      ...{ starts_on: '2027-03-27', ends_on: '2027-03-29' },
      // The clocks change on the second of its days.
      ...{ event_datetime: '2027-03-26T23:00:00.000Z', ends_at: '2027-03-29T22:00:00.000Z' },
    })
    const canary = await patch(madrid, 'one', { location_id: place.location('Canarias') })
    expect(canary).toMatchObject({
      ...{ starts_on: '2027-03-27', ends_on: '2027-03-29' },
      ...{ event_datetime: '2027-03-27T00:00:00.000Z', ends_at: '2027-03-29T23:00:00.000Z' },
    })
    const timed = await patch(madrid, 'one', { event_datetime: '2027-03-27T10:00:00Z', ends_at: null })
    expect(timed).toMatchObject({ starts_on: null, ends_on: null, ends_at: null })
    expect(await patch(madrid, 'one', { starts_on: '2027-03-30' })).toMatchObject({ ends_on: '2027-03-30' })
  })

  it('repeats by its days', async () => {
    const fair = { ...FAIR, starts_on: `${NEXT}-03-27`, ends_on: `${NEXT}-03-29` }
    await create({ ...fair, repeat: { frequency: 'yearly', count: 2 } })
    const [first, second] = await list()
    expect([second?.starts_on, second?.ends_on]).toEqual([`${NEXT + 1}-03-27`, `${NEXT + 1}-03-29`])
    expect(second?.event_datetime).toBe(instantAt(`${NEXT + 1}-03-27T00:00`, ZONE).toISOString())
    await patch(first, 'all', { starts_on: `${NEXT}-03-28`, ends_on: `${NEXT}-03-28` })
    expect((await list()).map(({ starts_on, ends_on }) => [starts_on, ends_on])).toEqual([
      [`${NEXT}-03-28`, `${NEXT}-03-28`],
      [`${NEXT + 1}-03-28`, `${NEXT + 1}-03-28`],
    ])
  })

  it.each([
    ['that ends before it begins', { ends_on: '2027-03-26' }, 'ends_on'],
    ['on a day that there is not', { starts_on: '2027-02-30' }, 'starts_on'],
    ['without days or time', { starts_on: null }, 'event_datetime'],
  ])('is refused %s', async (_, fields, path) => {
    const refused = await call(boss, 'POST', PATH, { ...FAIR, ...fields })
    expect(refused).toEqual(refusal('INVALID_INPUT'))
    expect(refused.body.issues[0].path).toBe(path)
  })

  it('is written about without a clock time', async () => {
    await create({ ...FAIR, repeat: null, customer_id: customer })
    await place.queue('queue_event_notifications', '2027-03-26T12:00:00Z')
    const [mail] = await place.rendered()
    expect(mail?.subject).toBe('Feria: sábado, 27 de marzo de 2027')
    expect(mail?.text).toContain('sábado, 27 de marzo de 2027 – lunes, 29 de marzo de 2027 (todo el día)\n')
  })

  it('is of its days on the home page, wherever its place', async () => {
    await create({ ...FAIR, repeat: null, location_id: place.location('Canarias') })
    const { db } = place.people.boss
    const on = async (day: string) => {
      const found = await twoDays({ db }, { now: new Date(`${day}T12:00:00Z`), timezone: ZONE })
      return Object.entries(found).flatMap(([part, events]) => events.map(() => part))
    }
    expect(await on('2027-03-25')).toEqual([])
    expect(await on('2027-03-26')).toEqual(['tomorrow'])
    expect(await on('2027-03-27')).toEqual(['today'])
    expect(await on('2027-03-29')).toEqual(['underWay'])
    expect(await on('2027-03-30')).toEqual([])
  })
})
