import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group, type Person } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

const PATH = '/api/calendar-events'
const NOT_FOUND = { status: 404, body: { error: 'Not found', code: 'NOT_FOUND' } }
const FORBIDDEN = { status: 403, body: { error: 'Forbidden', code: 'FORBIDDEN' } }
const EVENT = { title: 'Cata de vinos', event_datetime: '2030-05-01T19:30:00.000Z' }

let app: TestApp
let group: Group
let other: Group
let people: Record<'boss' | 'cook' | 'bound' | 'stranger', Person>
let boss: Client
let cook: Client
let bound: Client
let stranger: Client
let customer: string
let foreignCustomer: string

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Citas', [
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  other = await createGroup(app.stack, 'Otro Grupo', [{ name: 'Este', slug: 'este' }])
  people = {
    boss: await group.person('super_admin'),
    cook: await group.person('rrhh'),
    bound: await group.person('operaciones', [location('Sur')]),
    stranger: await other.person('super_admin'),
  }
  boss = await signedIn(people.boss)
  cook = await signedIn(people.cook)
  bound = await signedIn(people.bound)
  stranger = await signedIn(people.stranger)
  customer = await newCustomer(group.id)
  foreignCustomer = await newCustomer(other.id)
})
afterEach(() => app.stack.sql(emptyTables('calendar_events', 'messages')))
afterAll(() => app?.close())

const location = (name: string) => String(group.locations.find((one) => one.name === name)?.id)
const newCustomer = async (organization: string) => {
  const rows = await app.stack.sql<{ id: string }>(
    `insert into public.customers (organization_id, email) values ($1, 'ana@correo.example') returning id::text`,
    [organization],
  )
  return String(rows[0]?.id)
}
const call = (client: Client, method: string, path: string, body?: unknown) =>
  client.request(method, path, body === undefined ? {} : { body }).then(answer)
const create = async (fields: object = {}, client = boss) => {
  const { status, body } = await call(client, 'POST', PATH, { ...EVENT, ...fields })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}
const titles = async (client: Client, query = 'from=2000-01-01T00:00:00Z') => {
  const { status, body } = await call(client, 'GET', `${PATH}?${query}`)
  expect(status).toBe(200)
  return body.data.map((event: { title: string }) => event.title)
}
const stored = () =>
  app.stack.sql<{ title: string }>('select title, updated_at from public.calendar_events order by title')

describe('POST /api/calendar-events', () => {
  it('creates an event with the defaults, for anyone of the organization', async () => {
    for (const [client, person] of [
      [boss, people.boss],
      [cook, people.cook],
      [bound, people.bound],
    ] as const) {
      const event = await create({}, client)
      expect(await call(client, 'GET', `${PATH}/${event.id}`)).toEqual({
        status: 200,
        body: {
          data: {
            ...EVENT,
            id: event.id,
            description: null,
            ends_at: null,
            location_id: null,
            customer_id: null,
            assignee_id: null,
            assignee_name: null,
            notification_sent: false,
            reminder_minutes: 60,
            reminder_sent: false,
            created_by: person.id,
            created_at: event.created_at,
            starts_on: null,
            ends_on: null,
            series_id: null,
            repeat: null,
          },
        },
      })
    }
  })

  it('keeps every field, instants in UTC, and knows who made it and who looks after it', async () => {
    const fields = {
      title: '  Reunión  ',
      description: 'Con el proveedor',
      event_datetime: '2030-05-01T21:30:00+02:00',
      ends_at: '2030-05-01T22:00:00.5+02:00',
      location_id: location('Norte').toUpperCase(),
      customer_id: customer,
      assignee_id: people.cook.id,
      reminder_minutes: 0,
    }
    expect(await create(fields)).toMatchObject({
      ...fields,
      title: 'Reunión',
      event_datetime: '2030-05-01T19:30:00.000Z',
      ends_at: '2030-05-01T20:00:00.500Z',
      location_id: location('Norte'),
      assignee_name: people.cook.email,
      created_by: people.boss.id,
    })
  })

  it.each([
    ['nothing', undefined],
    ['broken JSON', '{'],
    ['a list', [EVENT]],
    ['no title', { event_datetime: EVENT.event_datetime }],
    ['a blank title', { ...EVENT, title: ' \u00a0\n' }],
    ['a title of 201 characters', { ...EVENT, title: 'a'.repeat(201) }],
    ['a NUL in the title', { ...EVENT, title: 'a\0b' }],
    ['half a surrogate pair', `{"title": "\\ud800", "event_datetime": "${EVENT.event_datetime}"}`],
    ['a NUL in the description', { ...EVENT, description: '\0' }],
    ['a description of 5,001 characters', { ...EVENT, description: 'a'.repeat(5001) }],
    ['no time', { title: 'Cata' }],
    ['a time without offset', { ...EVENT, event_datetime: '2030-05-01T19:30:00' }],
    ['a date', { ...EVENT, event_datetime: '2030-05-01' }],
    ['30 February', { ...EVENT, event_datetime: '2026-02-30T10:00:00Z' }],
    ['the year 0', { ...EVENT, event_datetime: '0000-01-01T00:00:00Z' }],
    ['the year 10000', { ...EVENT, event_datetime: '9999-12-31T23:59:59-23:59' }],
    ['infinity', { ...EVENT, event_datetime: 'infinity' }],
    ['an end before the beginning', { ...EVENT, ends_at: '2030-05-01T19:29:59.999Z' }],
    ['a location that is no id', { ...EVENT, location_id: 'norte' }],
    ['half a minute', { ...EVENT, reminder_minutes: 0.5 }],
    ['a negative reminder', { ...EVENT, reminder_minutes: -1 }],
    ['a reminder of more than a week', { ...EVENT, reminder_minutes: 10_081 }],
    [
      'a huge number',
      `{"title": "a", "event_datetime": "${EVENT.event_datetime}", "reminder_minutes": 1e400}`,
    ],
    ['null minutes', { ...EVENT, reminder_minutes: null }],
    ['what the service decides', { ...EVENT, notification_sent: true }],
    ['an id', { ...EVENT, id: crypto.randomUUID() }],
  ])('refuses %s', async (_, body) => {
    expect(await call(boss, 'POST', PATH, body)).toEqual({
      status: 400,
      body: expect.objectContaining({ error: expect.any(String), code: expect.any(String) }),
    })
    expect(await stored()).toEqual([])
  })

  it('takes an end at the beginning, and offsets Postgres would not', async () => {
    const { event_datetime } = await create({ event_datetime: '2030-05-01T00:00:00+23:59' })
    expect(event_datetime).toBe('2030-04-30T00:01:00.000Z')
    expect((await create({ ends_at: EVENT.event_datetime })).ends_at).toBe(EVENT.event_datetime)
  })

  it.each([
    ['location_id', () => other.locations[0]?.id],
    ['customer_id', () => foreignCustomer],
    ['assignee_id', () => people.stranger.id],
  ])('refuses a %s of another organization, and one that is not there', async (field, foreign) => {
    for (const id of [foreign(), crypto.randomUUID()]) {
      const refused = await call(boss, 'POST', PATH, { ...EVENT, [field]: id })
      expect(refused).toEqual({
        status: 400,
        body: expect.objectContaining({ issues: [expect.objectContaining({ path: field })] }),
      })
    }
    expect(await stored()).toEqual([])
  })

  it('refuses a location the person is not assigned to', async () => {
    const { status } = await call(bound, 'POST', PATH, { ...EVENT, location_id: location('Norte') })
    expect(status).toBe(400)
    expect((await create({ location_id: location('Sur') }, bound)).location_id).toBe(location('Sur'))
  })

  it('lets only who may see customers name one, whether it is there or not', async () => {
    for (const customer_id of [customer, foreignCustomer, crypto.randomUUID()])
      expect(await call(cook, 'POST', PATH, { ...EVENT, customer_id })).toEqual(FORBIDDEN)
    expect((await create({ customer_id: customer }, bound)).customer_id).toBe(customer)
  })
})

describe('GET /api/calendar-events', () => {
  it('gives what is ahead in order of time, from now on', async () => {
    await create({ title: 'later', event_datetime: '2031-01-01T00:00:00Z' })
    await create({ title: 'soon', event_datetime: '2030-01-01T00:00:00Z' })
    await create({ title: 'past', event_datetime: '2020-01-01T00:00:00Z' })
    expect(await titles(boss, '')).toEqual(['soon', 'later'])
    expect(await titles(boss)).toEqual(['past', 'soon', 'later'])
  })

  it('filters by time (the end is not part of it), location and assignee', async () => {
    const at = (hour: number) => `2030-05-01T${hour}:00:00Z`
    await create({ title: 'ten', event_datetime: at(10), location_id: location('Norte') })
    await create({ title: 'eleven', event_datetime: at(11), assignee_id: people.cook.id })
    await create({ title: 'twelve', event_datetime: at(12), location_id: location('Sur') })
    expect(await titles(boss, `from=${at(10)}&to=${at(12)}`)).toEqual(['ten', 'eleven'])
    expect(await titles(boss, `from=${at(12)}&to=${at(10)}`)).toEqual([])
    expect(await titles(boss, `location_id=${location('Sur')}`)).toEqual(['twelve'])
    expect(await titles(boss, `assignee_id=${people.cook.id}`)).toEqual(['eleven'])
    expect(await titles(boss, `location_id=${other.locations[0]?.id}`)).toEqual([])
  })

  it('pages through events of the same instant, each one once', async () => {
    await app.stack.sql(
      `insert into public.calendar_events (organization_id, title, event_datetime)
       select $1, 'e' || n, timestamptz '2030-05-01 10:00:00.123456+00' + (n % 3) * interval '1 microsecond'
       from generate_series(1, 23) as n`,
      [group.id],
    )
    const seen: string[] = []
    let cursor = ''
    do {
      const { status, body } = await call(boss, 'GET', `${PATH}?limit=4${cursor && `&cursor=${cursor}`}`)
      expect(status).toBe(200)
      expect(body.data.length).toBeLessThanOrEqual(4)
      seen.push(...body.data.map((event: { title: string }) => event.title))
      cursor = body.next_cursor ?? ''
    } while (cursor && seen.length < 100)
    expect(seen).toHaveLength(23)
    expect(new Set(seen).size).toBe(23)
    const order = seen.map((title) => Number(title.slice(1)) % 3)
    expect(order).toEqual([...order].sort())
  })

  const cursorOf = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  it.each([
    'limit=0',
    'limit=201',
    'limit=1e400',
    'limit=',
    'from=ayer',
    'to=2026-02-30T00:00:00Z',
    'from=0000-00-00',
    'location_id=norte',
    'assignee_id=%00',
    'cursor=x',
    `cursor=${'x'.repeat(601)}`,
    ...['name', '', '2026-02-30T00:00:00Z', '2026-02-03T00:00:00+23:00', '2026-02-03T00:00:00Z\0'].map(
      (key) => `cursor=${cursorOf(key, crypto.randomUUID())}`,
    ),
    `cursor=${cursorOf('2026-02-03T00:00:00Z', 7)}`,
  ])('refuses %s', async (query) => {
    expect(await call(boss, 'GET', `${PATH}?${query}`)).toEqual({
      status: 400,
      body: expect.objectContaining({ error: expect.any(String), code: expect.any(String) }),
    })
  })
})

describe('PATCH /api/calendar-events/{id}', () => {
  it('changes what is given and nothing else; null empties', async () => {
    const event = await create({
      description: 'Notas',
      ends_at: '2030-05-01T21:00:00Z',
      assignee_id: people.cook.id,
    })
    const changed = {
      title: 'Otra',
      description: null,
      ends_at: null,
      assignee_id: null,
      reminder_minutes: 10_080,
    }
    expect(await call(cook, 'PATCH', `${PATH}/${event.id.toUpperCase()}`, changed)).toEqual({
      status: 200,
      body: { data: { ...event, ...changed, assignee_name: null } },
    })
  })

  it('without anything to change answers the event and writes nothing', async () => {
    const event = await create()
    const before = await stored()
    for (const body of [{}, EVENT])
      expect(await call(boss, 'PATCH', `${PATH}/${event.id}`, body)).toEqual({
        status: 200,
        body: { data: event },
      })
    expect(await stored()).toEqual(before)
  })

  it.each([
    [undefined],
    [{ title: null }],
    [{ event_datetime: null }],
    [{ ends_at: '2030-05-01T19:00:00Z' }],
    [{ event_datetime: '2030-05-01T21:00:00.001Z' }],
    [{ notification_sent: true }],
    [{ organization_id: crypto.randomUUID() }],
    [{ location_id: crypto.randomUUID() }],
  ])('refuses %j and changes nothing', async (body) => {
    const event = await create({ ends_at: '2030-05-01T21:00:00Z' })
    const refused = await call(boss, 'PATCH', `${PATH}/${event.id}`, body)
    expect(refused).toEqual({
      status: 400,
      body: expect.objectContaining({ error: expect.any(String), code: expect.any(String) }),
    })
    expect(await call(boss, 'GET', `${PATH}/${event.id}`)).toEqual({ status: 200, body: { data: event } })
  })

  it('announces again what is moved, and only that', async () => {
    const event = await create({ customer_id: customer, assignee_id: people.cook.id })
    const announce = () =>
      app.stack.sql('update public.calendar_events set notification_sent = true, reminder_sent = true')
    const change = async (body: object) => {
      await announce()
      const { data } = (await call(boss, 'PATCH', `${PATH}/${event.id}`, body)).body
      return { notification: data.notification_sent, reminder: data.reminder_sent }
    }
    expect(await change({ title: 'Otra', ends_at: '2030-05-02T23:00:00Z', reminder_minutes: 5 })).toEqual({
      notification: true,
      reminder: true,
    })
    expect(await change({ event_datetime: '2030-05-02T19:30:00Z' })).toEqual({
      notification: false,
      reminder: false,
    })
    expect(await change({ assignee_id: people.boss.id })).toEqual({ notification: true, reminder: false })
    expect(await change({ customer_id: null })).toEqual({ notification: false, reminder: true })
  })

  it('lets someone without access to customers keep the customer there is, not put another', async () => {
    const event = await create({ customer_id: customer })
    const kept = await call(cook, 'PATCH', `${PATH}/${event.id}`, { title: 'Otra', customer_id: customer })
    expect(kept.body.data).toMatchObject({ title: 'Otra', customer_id: customer })
    const another = await newCustomerId()
    expect(await call(cook, 'PATCH', `${PATH}/${event.id}`, { customer_id: another })).toEqual(FORBIDDEN)
  })

  const newCustomerId = async () => {
    const rows = await app.stack.sql<{ id: string }>(
      'insert into public.customers (organization_id) values ($1) returning id::text',
      [group.id],
    )
    return String(rows[0]?.id)
  }
})

describe('an event that is not theirs', () => {
  it('is hidden from other organizations', async () => {
    await create()
    expect(await titles(stranger)).toEqual([])
  })

  it('with a location is hidden from people of other locations; without one it is visible', async () => {
    await create({ title: 'norte', location_id: location('Norte') })
    await create({ title: 'sur', location_id: location('Sur') })
    const all = await create({ title: 'todas' })
    expect((await titles(bound)).sort()).toEqual(['sur', 'todas'])
    expect((await titles(boss)).sort()).toEqual(['norte', 'sur', 'todas'])
    expect((await call(bound, 'PATCH', `${PATH}/${all.id}`, { location_id: location('Norte') })).status).toBe(
      400,
    )
    expect((await call(bound, 'PATCH', `${PATH}/${all.id}`, { location_id: location('Sur') })).status).toBe(
      200,
    )
  })
})

describe('DELETE /api/calendar-events/{id}', () => {
  it('deletes it, once', async () => {
    const event = await create()
    const deleted = await cook.request('DELETE', `${PATH}/${event.id}`)
    expect(deleted.status).toBe(204)
    expect(await call(cook, 'DELETE', `${PATH}/${event.id}`)).toEqual(NOT_FOUND)
    expect(await stored()).toEqual([])
  })
})
