import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { csvRows } from '../support/csv-rows'
import { type Guests, startGuests } from '../support/guests'
import { refusal } from '../support/refusal'
import { signedIn } from '../support/sign-in'

let g: Guests
let boss: Client
let host: Client
let stranger: Client
const PATH = '/api/customers/tags'
const PEOPLE = ['Ana', 'Eva', 'Leo', 'Mar', 'Noa']
let ids: Record<string, string>

beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  boss = await g.hire('admin')
  host = await g.hire('operaciones', 'Sur')
  stranger = await signedIn(await g.other.person('super_admin'))
})
afterAll(() => g?.app.close())

beforeEach(async () => {
  await g.sql('delete from public.customers')
  await g.sql('delete from private.tag_changes')
  await g.sql('delete from public.audit_log')
  await g.sql('delete from public.rate_limits')
  const rows = await g.sql<{ first_name: string; id: string }>(
    `insert into public.customers (organization_id, first_name, tags, location_id)
     select $1::uuid, name, case when name in ('Ana', 'Eva') then array['vip'] else '{}' end, $2::uuid
     from unnest($3::text[]) as name returning first_name, id::text`,
    [g.group.id, g.places.Norte, PEOPLE],
  )
  ids = Object.fromEntries(rows.map(({ first_name, id }) => [first_name, id]))
})

const of = (...names: string[]) => names.map((name) => ids[name] ?? '')
const change = (client: Client, body: object) => g.ask(client, 'POST', PATH, body)
const undo = (client: Client, id: string) => g.ask(client, 'DELETE', `${PATH}/${id}`)
/** `Ana: vip prensa` */
async function tags(): Promise<string[]> {
  const rows = await g.sql<{ first_name: string; tags: string[] }>(
    'select first_name, tags from public.customers where organization_id = $1 order by first_name',
    [g.group.id],
  )
  return rows.map(({ first_name, tags }) => [`${first_name}:`, ...tags].join(' '))
}

describe('a tag for many customers', () => {
  it('goes to those chosen who lack it, and is taken back from exactly these', async () => {
    const { status, body } = await change(boss, { action: 'add', tag: ' vip ', ids: of('Ana', 'Leo', 'Leo') })
    expect({ status, ...body.data }).toMatchObject({ status: 200, changed: 1, full: 0 })
    expect(await tags()).toEqual(['Ana: vip', 'Eva: vip', 'Leo: vip', 'Mar:', 'Noa:'])
    expect((await undo(boss, body.data.id)).status).toBe(204)
    expect(await tags()).toEqual(['Ana: vip', 'Eva: vip', 'Leo:', 'Mar:', 'Noa:'])
    expect(await undo(boss, body.data.id)).toEqual(refusal('NOT_FOUND'))
  })

  it('goes to all that the filters match', async () => {
    const filters = { tag: 'vip', search: 'ana' }
    const { body } = await change(boss, { action: 'add', tag: 'prensa', filters })
    expect(body.data.changed).toBe(1)
    expect((await change(boss, { action: 'add', tag: 'todos', filters: {} })).body.data.changed).toBe(5)
    expect((await tags())[0]).toBe('Ana: vip prensa todos')
  })

  it('is taken from those who have it, and given back', async () => {
    const { body } = await change(boss, { action: 'remove', tag: 'vip', filters: { tag: 'vip' } })
    expect(body.data.changed).toBe(2)
    expect(await tags()).toEqual(PEOPLE.map((name) => `${name}:`))
    await undo(boss, body.data.id)
    expect(await tags()).toEqual(['Ana: vip', 'Eva: vip', 'Leo:', 'Mar:', 'Noa:'])
  })

  it('says when nothing changes', async () => {
    const { body } = await change(boss, { action: 'remove', tag: 'nadie', filters: {} })
    expect(body.data).toEqual({ id: null, changed: 0, full: 0 })
    expect(await g.sql('select 1 from public.audit_log')).toEqual([])
  })

  it('leaves who has fifty as they are', async () => {
    const fifty = Array.from({ length: 50 }, (_, n) => `t${n}`)
    await g.sql('update public.customers set tags = $1 where id = $2', [fifty, ids.Mar])
    const { body } = await change(boss, { action: 'add', tag: 'otra', ids: of('Mar', 'Noa') })
    expect(body.data).toMatchObject({ changed: 1, full: 1 })
    await undo(boss, body.data.id)
    expect((await tags()).at(-1)).toBe('Noa:')
  })

  it('leaves a line in the log of each, and one of the whole', async () => {
    const { body } = await change(boss, { action: 'add', tag: 'secreta', ids: of('Ana', 'Leo') })
    await undo(boss, body.data.id)
    const lines = await g.sql<{ action: string; subject_id: string; details: object; actor_id: string }>(
      'select action, subject_id::text, details, actor_id from public.audit_log order by action, subject_id',
    )
    const changed = { fields: ['tags'] }
    expect(lines.map(({ action, details }) => [action, details])).toEqual([
      ...Array.from({ length: 4 }, () => ['customer.changed', changed]),
      ['customers.tagged', { rows: 2 }],
      ['customers.untagged', { rows: 2 }],
    ])
    expect(new Set(lines.map(({ actor_id }) => actor_id)).size).toBe(1)
    expect(JSON.stringify(lines)).not.toContain('secreta')
  })

  it('reaches customers wherever the person works, as a change of one does', async () => {
    const body = { action: 'add', tag: 'x', ids: of('Ana') }
    const one = await g.ask(host, 'PATCH', `/api/customers/${ids.Ana}`, { tags: ['vip', 'una'] })
    expect(one.status).toBe(200)
    expect((await change(host, body)).body.data.changed).toBe(1)
  })

  it('reaches no customer of another organization', async () => {
    const body = { action: 'add', tag: 'x', ids: of('Ana') }
    expect((await change(stranger, body)).body.data).toEqual({ id: null, changed: 0, full: 0 })
    expect((await change(stranger, { action: 'add', tag: 'x', filters: {} })).body.data.changed).toBe(0)
  })

  it('is taken back within an hour', async () => {
    const { body } = await change(boss, { action: 'add', tag: 'x', ids: of('Ana') })
    await g.sql(`update private.tag_changes set changed_at = now() - interval '61 minutes'`)
    expect(await undo(boss, body.data.id)).toEqual(refusal('NOT_FOUND'))
  })

  it('survives those who are erased meanwhile', async () => {
    const { body } = await change(boss, { action: 'add', tag: 'x', ids: of('Ana', 'Leo') })
    expect((await g.ask(boss, 'DELETE', `/api/customers/${ids.Ana}`)).status).toBe(204)
    expect((await undo(boss, body.data.id)).status).toBe(204)
    expect(await tags()).toEqual(['Eva: vip', 'Leo:', 'Mar:', 'Noa:'])
  })

  it('is refused for more than 5,000', async () => {
    await g.sql(
      `insert into public.customers (organization_id, first_name) select $1, 'x' from generate_series(1, 4996)`,
      [g.group.id],
    )
    const count = async () => (await g.ask(boss, 'GET', '/api/customers/count')).body.data
    expect(await count()).toEqual({ customers: 5000, more: true })
    const all = { action: 'add', tag: 'x', filters: {} }
    expect(await change(boss, all)).toEqual(refusal('TOO_MANY_CUSTOMERS'))
    expect(await g.sql(`select 1 from public.customers where tags @> array['x']`)).toEqual([])
    await g.sql('delete from public.customers where id = $1', [ids.Ana])
    expect(await count()).toEqual({ customers: 5000, more: false })
  })

  it.each([
    { action: 'add', tag: 'x' },
    { action: 'add', tag: 'x', ids: [], filters: {} },
    { action: 'add', tag: 'x', ids: [] },
    { action: 'add', tag: 'x', ids: ['x'] },
    { action: 'add', tag: 'x', ids: Array.from({ length: 501 }, () => crypto.randomUUID()) },
    { action: 'add', tag: ' ', filters: {} },
    { action: 'add', tag: 'x'.repeat(61), filters: {} },
    { action: 'add', tag: 'a\u0001b', filters: {} },
    { action: 'put', tag: 'x', filters: {} },
    { action: 'add', tag: 'x', filters: { sort: 'name' } },
    { action: 'add', tag: 'x', filters: { segment: 'all' } },
  ])('refuses a body that says too little or too much (%#)', async (body) => {
    expect((await change(boss, body)).status).toBe(400)
    expect(await g.sql('select 1 from private.tag_changes')).toEqual([])
  })

  it('takes no filter for SQL', async () => {
    for (const text of ["') or true --", '%s %L $1', "x'; drop table public.customers; --"]) {
      const filters = { tag: text, tier: text, search: text }
      expect((await change(boss, { action: 'add', tag: text.slice(0, 60), filters })).body.data.changed).toBe(
        0,
      )
    }
    expect(await tags()).toHaveLength(5)
  })
})

describe('how many match', () => {
  it('counts as the list filters', async () => {
    const count = async (query: string) =>
      (await g.ask(boss, 'GET', `/api/customers/count${query}`)).body.data
    expect(await count('')).toEqual({ customers: 5, more: false })
    expect(await count('?tag=vip')).toEqual({ customers: 2, more: false })
    expect(await count(`?location_id=${g.places.Sur}`)).toEqual({ customers: 0, more: false })
    expect((await g.ask(stranger, 'GET', '/api/customers/count')).body.data.customers).toBe(0)
  })
})

describe('the chosen as a file', () => {
  const file = (client: Client, body: object) => client.request('POST', '/api/customers/export', { body })

  it('has these and no others, and is logged with their number', async () => {
    const response = await file(boss, { ids: of('Leo', 'Ana'), sort: 'name' })
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [, ...rows] = csvRows(await response.text())
    expect(rows.map(([name]) => name)).toEqual(['Ana', 'Leo'])
    const kept = await g.sql('select action, details from public.audit_log order by created_at, action desc')
    expect(kept).toEqual([
      { action: 'customers.exported', details: { filters: { selected: 2 } } },
      { action: 'customers.export_ended', details: { filters: { selected: 2 }, rows: 2 } },
    ])
  })

  it('has none of another organization, and is of someone', async () => {
    const response = await file(stranger, { ids: of('Ana') })
    expect((await response.text()).trimEnd().split('\r\n')).toHaveLength(1)
    expect((await file(boss, { ids: [] })).status).toBe(400)
    expect((await file(boss, {})).status).toBe(400)
  })

  it('shares the limit of the list’s download', async () => {
    await g.sql('delete from public.attempt_limits')
    for (let n = 0; n < 10; n += 1)
      expect((await boss.request('GET', '/api/customers/export')).status).toBe(200)
    expect((await file(boss, { ids: of('Ana') })).status).toBe(429)
  })
})
