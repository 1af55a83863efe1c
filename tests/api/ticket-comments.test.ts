import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group, type Person } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

const PATH = '/api/tickets'
const BAD = {
  status: 400,
  body: expect.objectContaining({ error: expect.any(String), code: expect.any(String) }),
}

let app: TestApp
let group: Group
let people: Record<'boss' | 'cook' | 'bound', Person>
let boss: Client
let cook: Client
let bound: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Soporte', [
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  people = {
    boss: await group.person('super_admin'),
    cook: await group.person('rrhh'),
    bound: await group.person('operaciones', [location('Sur')]),
  }
  boss = await signedIn(people.boss)
  cook = await signedIn(people.cook)
  bound = await signedIn(people.bound)
})
afterEach(() => app.stack.sql(emptyTables('tickets')))
afterAll(() => app?.close())

const location = (name: string) => String(group.locations.find((one) => one.name === name)?.id)
const call = (client: Client, method: string, path: string, body?: unknown) =>
  client.request(method, path, body === undefined ? {} : { body }).then(answer)
const create = async (fields: object = {}) => {
  const { status, body } = await call(cook, 'POST', PATH, { subject: 'No imprime', ...fields })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
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

describe('the comments of a ticket', () => {
  const comments = (id: string) => `${PATH}/${id}/comments`

  it('come oldest first with their author, and need a notice', async () => {
    const { id } = await create()
    await told()
    const first = await call(cook, 'POST', comments(id), { body: ' El técnico viene a las 5 ' })
    expect(first).toEqual({
      status: 201,
      body: {
        data: {
          id: expect.any(String),
          ticket_id: id,
          author_id: people.cook.id,
          author_name: people.cook.email,
          body: 'El técnico viene a las 5',
          created_at: expect.any(String),
        },
      },
    })
    expect(await pending(id)).toBe(true)
    const second = await call(bound, 'POST', comments(id), { body: 'Ya está' })
    expect(await call(boss, 'GET', comments(id))).toEqual({
      status: 200,
      body: { data: [first.body.data, second.body.data], next_cursor: null },
    })
  })

  it('come in pages, each one once, also those of the same instant', async () => {
    const { id } = await create()
    await app.stack.sql(
      `insert into public.ticket_comments (ticket_id, author_name, body, created_at)
       select $1, 'Alguien', n::text, timestamptz '2026-05-01 10:00:00.123456+00' + (n % 2) * interval '1 microsecond'
       from generate_series(1, 9) as n`,
      [id],
    )
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await call(boss, 'GET', `${comments(id)}?limit=2${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.data.map((comment: { body: string }) => comment.body))
      cursor = body.next_cursor ?? ''
    } while (cursor && seen.length < 50)
    expect(seen).toHaveLength(9)
    expect(new Set(seen).size).toBe(9)
    expect(seen.map((one) => Number(one) % 2)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1])
    const made = Buffer.from(JSON.stringify(['ayer', crypto.randomUUID()])).toString('base64url')
    expect(await call(boss, 'GET', `${comments(id)}?cursor=${made}`)).toEqual(BAD)
  })

  it('outlive their author’s account', async () => {
    const leaver = await group.person('ceo')
    const { id } = await create()
    await call(await signedIn(leaver), 'POST', comments(id), { body: 'Adiós' })
    await app.stack.sql('delete from public.profiles where id = $1', [leaver.id])
    const { body } = await call(boss, 'GET', comments(id))
    expect(body.data).toMatchObject([{ author_id: null, author_name: leaver.email, body: 'Adiós' }])
  })

  it.each([
    [undefined],
    [{}],
    [{ body: ' ' }],
    [{ body: 'a\0' }],
    [{ body: 'a'.repeat(5001) }],
    [{ body: 'a', author_name: 'Otra' }],
  ])('refuse %j', async (body) => {
    const { id } = await create()
    expect(await call(boss, 'POST', comments(id), body)).toEqual(BAD)
    expect((await call(boss, 'GET', comments(id))).body.data).toEqual([])
  })
})
