import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group, type Person } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

const PATH = '/api/tickets'
const HOUR = 3_600_000
const NOT_FOUND = { status: 404, body: { error: 'Not found', code: 'NOT_FOUND' } }
const FORBIDDEN = { status: 403, body: { error: 'Forbidden', code: 'FORBIDDEN' } }
const BAD = {
  status: 400,
  body: expect.objectContaining({ error: expect.any(String), code: expect.any(String) }),
}

let app: TestApp
let group: Group
let other: Group
let people: Record<'boss' | 'admin' | 'cook' | 'bound' | 'boundAdmin' | 'stranger', Person>
let boss: Client
let admin: Client
let cook: Client
let bound: Client
let boundAdmin: Client
let stranger: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Soporte', [
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  other = await createGroup(app.stack, 'Otro Grupo', [{ name: 'Este', slug: 'este' }])
  people = {
    boss: await group.person('super_admin'),
    admin: await group.person('admin'),
    cook: await group.person('rrhh'),
    bound: await group.person('operaciones', [location('Sur')]),
    boundAdmin: await group.person('admin', [location('Sur')]),
    stranger: await other.person('super_admin'),
  }
  boss = await signedIn(people.boss)
  admin = await signedIn(people.admin)
  cook = await signedIn(people.cook)
  bound = await signedIn(people.bound)
  boundAdmin = await signedIn(people.boundAdmin)
  stranger = await signedIn(people.stranger)
})
afterEach(() => app.stack.sql(emptyTables('tickets', 'private.ticket_numbers', 'customers')))
afterAll(() => app?.close())

const location = (name: string) => String(group.locations.find((one) => one.name === name)?.id)
const newCustomer = async (organization: string) => {
  const rows = await app.stack.sql<{ id: string }>(
    'insert into public.customers (organization_id) values ($1) returning id::text',
    [organization],
  )
  return String(rows[0]?.id)
}
const call = (client: Client, method: string, path: string, body?: unknown) =>
  client.request(method, path, body === undefined ? {} : { body }).then(answer)
const create = async (fields: object = {}, client = cook) => {
  const { status, body } = await call(client, 'POST', PATH, { subject: 'No imprime', ...fields })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}
const change = async (id: string, body: object, client = cook) => {
  const changed = await call(client, 'PATCH', `${PATH}/${id}`, body)
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  return changed.body.data
}
const numbers = async (client: Client, query = '') => {
  const { status, body } = await call(client, 'GET', `${PATH}?${query}`)
  expect(status).toBe(200)
  return body.data.map((ticket: { number: number }) => ticket.number)
}
/** Whether the next notification would tell of it. */
const pending = async (id: string) => {
  const rows = await app.stack.sql<{ pending: boolean }>(
    'select changes > notified_changes as pending from public.tickets where id = $1',
    [id],
  )
  return rows[0]?.pending
}
const told = () => app.stack.sql('update public.tickets set notified_changes = changes')

describe('POST /api/tickets', () => {
  it('opens a ticket with the defaults, for anyone of the organization', async () => {
    for (const [client, person] of [
      [boss, people.boss],
      [cook, people.cook],
      [bound, people.bound],
    ] as const) {
      const ticket = await create({}, client)
      expect(ticket).toEqual({
        id: ticket.id,
        number: ticket.number,
        subject: 'No imprime',
        description: null,
        status: 'open',
        priority: 'medium',
        sla_due_at: new Date(Date.parse(ticket.created_at) + 24 * HOUR).toISOString(),
        location_id: null,
        customer_id: null,
        assignee_id: null,
        assignee_name: null,
        requester_id: person.id,
        requester_name: person.email,
        notified_at: null,
        sla_reminded_at: null,
        resolved_at: null,
        created_at: ticket.created_at,
        updated_at: ticket.updated_at,
      })
      expect(await call(boss, 'GET', `${PATH}/${ticket.id}`)).toEqual({ status: 200, body: { data: ticket } })
    }
  })

  it.each([
    ['low', 72],
    ['medium', 24],
    ['high', 8],
    ['urgent', 2],
  ])('of %s priority is due %i hours after its creation', async (priority, hours) => {
    const { sla_due_at, created_at } = await create({ priority })
    expect(Date.parse(sla_due_at) - Date.parse(created_at)).toBe(hours * HOUR)
  })

  it('numbers tickets 1, 2, 3 in each organization, also twenty at once, and never gives a number again', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => create()))
    expect(made.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    expect((await create({}, stranger)).number).toBe(1)
    const last = made.find(({ number }) => number === 20)
    expect((await boss.request('DELETE', `${PATH}/${last.id}`)).status).toBe(204)
    expect((await create()).number).toBe(21)
  })

  it.each([
    ['nothing', undefined],
    ['broken JSON', '{'],
    ['no subject', {}],
    ['a blank subject', { subject: '  ' }],
    ['a subject of 201 characters', { subject: 'a'.repeat(201) }],
    ['a NUL', { subject: 'a\0' }],
    ['half a surrogate pair', '{"subject": "\\udc00"}'],
    ['a description of 10,001 characters', { subject: 'a', description: 'a'.repeat(10_001) }],
    ['an unknown status', { subject: 'a', status: 'reopened' }],
    ['an unknown priority', { subject: 'a', priority: 'critical' }],
    ['null priority', { subject: 'a', priority: null }],
    ['a location that is no id', { subject: 'a', location_id: 7 }],
    ['a number of its own', { subject: 'a', number: 1 }],
    ['a requester', { subject: 'a', requester_id: crypto.randomUUID() }],
  ])('refuses %s', async (_, body) => {
    expect(await call(boss, 'POST', PATH, body)).toEqual(BAD)
    expect(await numbers(boss)).toEqual([])
  })

  it('refuses a location, customer or assignee of another organization, unknown, or out of reach', async () => {
    const foreign = {
      location_id: other.locations[0]?.id,
      customer_id: await newCustomer(other.id),
      assignee_id: people.stranger.id,
    }
    for (const [field, id] of Object.entries(foreign)) {
      for (const value of [id, crypto.randomUUID()]) {
        const refused = await call(boss, 'POST', PATH, { subject: 'a', [field]: value })
        expect(refused).toEqual({
          status: 400,
          body: expect.objectContaining({ issues: [expect.objectContaining({ path: field })] }),
        })
      }
    }
    expect(await call(bound, 'POST', PATH, { subject: 'a', location_id: location('Norte') })).toEqual(BAD)
    expect(await numbers(boss)).toEqual([])
  })

  it('takes a customer only from people with customer access', async () => {
    const customer_id = await newCustomer(group.id)
    for (const id of [customer_id, crypto.randomUUID()])
      expect(await call(cook, 'POST', PATH, { subject: 'a', customer_id: id })).toEqual(FORBIDDEN)
    expect((await create({ customer_id }, bound)).customer_id).toBe(customer_id)
  })
})

describe('GET /api/tickets', () => {
  it('gives the newest first, in pages, each one once', async () => {
    await app.stack.sql(
      `insert into public.tickets (organization_id, subject) select $1, 'T' from generate_series(1, 23)`,
      [group.id],
    )
    const seen: number[] = []
    let cursor = ''
    do {
      const { status, body } = await call(boss, 'GET', `${PATH}?limit=4${cursor && `&cursor=${cursor}`}`)
      expect(status).toBe(200)
      seen.push(...body.data.map((ticket: { number: number }) => ticket.number))
      cursor = body.next_cursor ?? ''
    } while (cursor && seen.length < 100)
    expect(seen).toEqual(Array.from({ length: 23 }, (_, index) => 23 - index))
  })

  it('finds the one with a number, and no other that begins like it', async () => {
    for (let n = 0; n < 12; n += 1) await create()
    expect(await numbers(cook, 'number=1')).toEqual([1])
    expect(await numbers(cook, 'number=12&status=open')).toEqual([12])
    expect(await numbers(cook, 'number=900000000')).toEqual([])
    for (const number of ['0', 'x', '1.5', '9999999999'])
      expect((await call(cook, 'GET', `${PATH}?number=${number}`)).status).toBe(400)
  })

  it('filters by status, priority, location and assignee, also together', async () => {
    await create({ status: 'waiting', location_id: location('Norte') })
    await create({ priority: 'urgent', location_id: location('Sur') })
    await create({ priority: 'urgent', assignee_id: people.cook.id })
    expect(await numbers(boss, 'status=waiting')).toEqual([1])
    expect(await numbers(boss, 'priority=urgent')).toEqual([3, 2])
    expect(await numbers(boss, `location_id=${location('Norte')}`)).toEqual([1])
    expect(await numbers(boss, `assignee_id=${people.cook.id}`)).toEqual([3])
    expect(await numbers(boss, `priority=urgent&location_id=${location('Sur')}&status=open`)).toEqual([2])
    expect(await numbers(boss, `location_id=${other.locations[0]?.id}`)).toEqual([])
  })

  it.each([
    ['a word of the subject, without accents', 'camara', [1]],
    ['a word of the description', 'PUERTA', [1]],
    ['several words', 'fria puerta', [1]],
    ['a number', '%232', [2]],
    ['a wildcard as itself', '%25', [2]],
    ['nothing', '', [2, 1]],
    ['blanks', '%20', [2, 1]],
    ['what is not there', 'caldera', []],
  ])('finds %s', async (_, search, expected) => {
    await create({ subject: 'Cámara fría', description: 'La puerta no cierra' })
    await create({ subject: 'Descuento del 100% mal aplicado' })
    expect(await numbers(boss, `search=${search}`)).toEqual(expected)
  })

  const cursorOf = (key: unknown) =>
    Buffer.from(JSON.stringify([key, crypto.randomUUID()])).toString('base64url')
  it.each([
    'limit=0',
    'limit=1.5',
    'status=reopened',
    'priority=1',
    'location_id=norte',
    `search=${'a'.repeat(201)}`,
    'cursor=x',
    ...['', 'a', '-1', '1.5', '2147483648', '1e9', 7].map((key) => `cursor=${cursorOf(key)}`),
  ])('refuses %s', async (query) => {
    expect(await call(boss, 'GET', `${PATH}?${query}`)).toEqual(BAD)
  })
})

describe('PATCH /api/tickets/{id}', () => {
  it('changes what is given and nothing else; without anything it writes nothing', async () => {
    const ticket = await create({ description: 'Notas', assignee_id: people.boss.id, priority: 'high' })
    const changed = { subject: 'Otra', description: null, status: 'in_progress', assignee_id: people.cook.id }
    const after = await change(ticket.id, changed)
    expect(after).toEqual({
      ...ticket,
      ...changed,
      assignee_name: people.cook.email,
      updated_at: after.updated_at,
    })
    for (const body of [{}, { subject: 'Otra', status: 'in_progress' }])
      expect(await change(ticket.id, body)).toEqual(after)
  })

  it('moves the deadline with the priority, from its creation, and reminds of the new one', async () => {
    const ticket = await create({ priority: 'low' })
    await app.stack.sql('update public.tickets set sla_reminded_at = now()')
    expect((await change(ticket.id, { subject: 'Otra' })).sla_reminded_at).not.toBeNull()
    const urgent = await change(ticket.id, { priority: 'urgent' })
    expect(Date.parse(urgent.sla_due_at) - Date.parse(ticket.created_at)).toBe(2 * HOUR)
    expect(urgent.sla_reminded_at).toBeNull()
  })

  it('sets resolved_at, and clears it when the ticket is reopened', async () => {
    const { id } = await create()
    const { resolved_at } = await change(id, { status: 'resolved' })
    expect(resolved_at).not.toBeNull()
    expect((await change(id, { status: 'closed' })).resolved_at).toBe(resolved_at)
    expect((await change(id, { status: 'open' })).resolved_at).toBeNull()
    expect((await create({ status: 'closed' })).resolved_at).not.toBeNull()
  })

  it.each([
    [{ status: 'waiting' }, true],
    [{ priority: 'low' }, true],
    [{ assignee_id: null }, true],
    [{ subject: 'Otra' }, true],
    [{ description: 'Más' }, true],
    [{ location_id: null }, true],
    [{ status: 'open', priority: 'medium' }, false],
    [{}, false],
  ])('%j needs a notice: %s', async (body, expected) => {
    const { id } = await create({ assignee_id: people.cook.id, location_id: location('Sur') })
    expect(await pending(id)).toBe(true)
    await told()
    await change(id, body)
    expect(await pending(id)).toBe(expected)
  })

  it.each([
    [undefined],
    [{ subject: '' }],
    [{ status: null }],
    [{ sla_due_at: '2030-01-01T00:00:00Z' }],
    [{ location_id: crypto.randomUUID() }],
    [{ assignee_id: crypto.randomUUID(), subject: 'Otra' }],
  ])('refuses %j and changes nothing', async (body) => {
    const ticket = await create()
    expect(await call(boss, 'PATCH', `${PATH}/${ticket.id}`, body)).toEqual(BAD)
    expect(await call(boss, 'GET', `${PATH}/${ticket.id}`)).toEqual({ status: 200, body: { data: ticket } })
  })
})

describe('a ticket that is not theirs', () => {
  it('is not found by people of another organization', async () => {
    await create()
    expect(await numbers(stranger)).toEqual([])
  })

  it('is not found by people of other locations; one without a location is', async () => {
    await create({ location_id: location('Norte') })
    await create({ location_id: location('Sur') })
    await create()
    expect(await numbers(bound)).toEqual([3, 2])
    expect(await numbers(boss)).toEqual([3, 2, 1])
    expect(await numbers(bound, `location_id=${location('Norte')}`)).toEqual([])
  })
})

describe('DELETE /api/tickets/{id}', () => {
  it('deletes one, once', async () => {
    await create({ location_id: location('Sur') })
    for (const client of [boss, admin, boundAdmin]) {
      const ticket = await create({ location_id: location('Sur') })
      expect((await client.request('DELETE', `${PATH}/${ticket.id}`)).status).toBe(204)
      expect(await call(client, 'DELETE', `${PATH}/${ticket.id}`)).toEqual(NOT_FOUND)
    }
    expect(await numbers(boss)).toEqual([1])
  })
})
