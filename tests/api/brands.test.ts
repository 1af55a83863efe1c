import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let other: Group
let boss: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Marca', [{ name: 'Norte', slug: 'norte' }])
  other = await createGroup(app.stack, 'Otra Marca', [{ name: 'Este', slug: 'este' }])
  boss = await signedIn(await group.person('admin'))
})
afterAll(() => app?.close())

const create = (body: unknown, client = boss) => client.request('POST', '/api/brands', { body }).then(answer)
const list = (query = '', client = boss) => client.request('GET', `/api/brands${query}`).then(answer)
const brandOf = async ({ id }: Group) => {
  const [brand] = await app.stack.sql<{ id: string }>(
    'select id::text from public.brands where organization_id = $1 order by created_at limit 1',
    [id],
  )
  return String(brand?.id)
}
const stored = () =>
  app.stack.sql('select organization_id::text, name, slug from public.brands order by organization_id, slug')

describe('brands', () => {
  it('get their slug from the name, or the one given; one slug an organization', async () => {
    expect(await create({ name: '  Taberna Nébula & Cía. ' })).toEqual({
      status: 201,
      body: {
        data: {
          ...{ id: expect.any(String), name: 'Taberna Nébula & Cía.', slug: 'taberna-nebula-cia' },
          postal_address: null,
        },
      },
    })
    expect(await create({ name: 'Otra', slug: 'taberna-nebula-cia' })).toEqual({
      status: 409,
      body: expect.objectContaining({ code: 'ALREADY_EXISTS' }),
    })
    expect((await create({ name: '寿司' })).status).toBe(400)
    expect(await create({ name: '寿司', slug: 'sushi' })).toMatchObject({
      status: 201,
      body: { data: { slug: 'sushi' } },
    })
    const [foreign] = await app.stack.sql<{ slug: string }>(
      'select slug from public.brands where organization_id = $1',
      [other.id],
    )
    expect((await create({ name: 'Igual que la otra', slug: foreign?.slug })).status).toBe(201)
  })

  it('are changed field by field', async () => {
    const { body } = await create({ name: 'Cambiante' })
    const path = `/api/brands/${body.data.id}`
    const change = (changes: unknown) => boss.request('PATCH', path, { body: changes }).then(answer)
    expect(await change({})).toEqual({ status: 200, body })
    expect(await change({ name: 'Cambiada' })).toEqual({
      status: 200,
      body: { data: { ...body.data, name: 'Cambiada' } },
    })
    for (const [given, kept] of [
      [' Calle Mayor 1 ', 'Calle Mayor 1'],
      [' ', null],
    ] as const) {
      const { body: moved } = await change({ postal_address: given })
      expect(moved.data).toMatchObject({ name: 'Cambiada', postal_address: kept })
    }
    expect(await change({ slug: 'sushi' })).toEqual({
      status: 409,
      body: expect.objectContaining({ code: 'ALREADY_EXISTS' }),
    })
    expect(
      (
        await boss.request('PATCH', path.toUpperCase().replace('/API/BRANDS', '/api/brands'), {
          body: { slug: 'nueva' },
        })
      ).status,
    ).toBe(200)
    expect((await change({})).body.data).toMatchObject({ name: 'Cambiada', slug: 'nueva' })
    expect((await boss.request('DELETE', path)).status).toBe(204)
    for (const gone of [await change({}), await change({ name: 'X' })])
      expect(gone).toEqual({ status: 404, body: expect.objectContaining({ code: 'NOT_FOUND' }) })
    expect((await boss.request('DELETE', path)).status).toBe(404)
  })

  it('with locations are not deleted', async () => {
    expect(await answer(await boss.request('DELETE', `/api/brands/${await brandOf(group)}`))).toEqual({
      status: 409,
      body: expect.objectContaining({ code: 'BRAND_IN_USE' }),
    })
    await app.stack.sql('update public.locations set brand_id = null where organization_id = $1', [group.id])
    expect((await boss.request('DELETE', `/api/brands/${await brandOf(group)}`)).status).toBe(204)
  })

  it('come in pages by slug, each once', async () => {
    for (const name of ['Ámbar', 'Zarza', 'Boj']) await create({ name })
    const all = (await list('?limit=200')).body.data.map(({ slug }: { slug: string }) => slug)
    expect(all.length).toBeGreaterThan(4)
    const paged: string[] = []
    let query = '?limit=2'
    for (;;) {
      const { body } = await list(query)
      paged.push(...body.data.map(({ slug }: { slug: string }) => slug))
      if (!body.next_cursor) break
      expect(body.data).toHaveLength(2)
      query = `?limit=2&cursor=${body.next_cursor}`
    }
    expect(paged).toEqual(all)
    expect(paged).toEqual([...paged].sort())
  })

  it.each([
    [{}],
    [{ name: '' }],
    [{ name: ' ' }],
    [{ name: 5 }],
    [{ name: 'A\u0000B' }],
    ['{"name":"A\\ud800"}'],
    [{ name: 'x'.repeat(121) }],
    [{ name: 'A', slug: 'Con Espacios' }],
    [{ name: 'A', slug: '-a' }],
    [{ name: 'A', organization_id: crypto.randomUUID() }],
    [[]],
    ['{'],
  ])('refuse %j', async (body) => {
    const before = await stored()
    expect(await create(body)).toEqual({
      status: 400,
      body: expect.objectContaining({ code: expect.any(String) }),
    })
    expect(await stored()).toEqual(before)
  })

  it.each(['cursor=x', 'cursor=WyJhXHUwMDAwIl0', 'cursor=e30', 'limit=0', 'limit=201', 'limit=x'])(
    'refuse the page %s',
    async (query) => {
      expect((await list(`?${query}`)).status).toBe(400)
    },
  )

  it.each(['1', 'null', '%00', "'"])('refuse the id %s', async (id) => {
    expect((await boss.request('PATCH', `/api/brands/${id}`, { body: {} })).status).toBe(400)
  })
})
