import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finishRefresh } from '@/lib/locations/refresh'
import { createGroup, type Group, stackClient } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let other: Group
let boss: Client
let bound: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Sitios', [
    { name: 'Norte', slug: 'norte', averageSpend: 30 },
    { name: 'Sur', slug: 'sur', averageSpend: 50 },
    { name: 'Zona "C", \\ y (D)', slug: 'zona' },
  ])
  other = await createGroup(app.stack, 'Otros Sitios', [{ name: 'Este', slug: 'este' }])
  boss = await signedIn(await group.person('admin'))
  bound = await signedIn(await group.person('admin', [at('Norte')]))
})
afterAll(() => app?.close())

const at = (name: string) =>
  String([...group.locations, ...other.locations].find((one) => one.name === name)?.id)
const list = (query = '', client = boss) => client.request('GET', `/api/locations${query}`).then(answer)
const create = (body: unknown, client = boss) =>
  client.request('POST', '/api/locations', { body }).then(answer)
const change = (id: string, body: unknown, client = boss) =>
  client.request('PATCH', `/api/locations/${id}`, { body }).then(answer)
const stored = () => app.stack.sql('select to_jsonb(l) as row from public.locations l order by id')
const names = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name)

describe('locations', () => {
  it('someone bound sees theirs only, and changes them', async () => {
    expect(names((await list('', bound)).body)).toEqual(['Norte'])
    expect((await change(at('Norte'), { city: 'León' }, bound)).body.data.city).toBe('León')
  })

  it('are added with what is given and sensible defaults', async () => {
    expect(await create({ name: ' Oeste ', city: '', pms_id: 'oeste' })).toEqual({
      status: 201,
      body: {
        data: {
          id: expect.any(String),
          name: 'Oeste',
          city: null,
          address: null,
          brand_id: null,
          pms_id: 'oeste',
          timezone: 'Europe/Madrid',
          average_spend_per_guest: null,
          count_unmarked_visits: true,
          quiet_from: null,
          quiet_until: null,
          is_active: true,
          stay_minutes: null,
          review_urls: [],
          known_until: null,
        },
      },
    })
    expect(await create({ name: 'Oeste' })).toEqual({
      status: 409,
      body: expect.objectContaining({ code: 'LOCATION_NAME_TAKEN' }),
    })
    expect(await change(at('Sur'), { name: 'Oeste' })).toMatchObject({ status: 409 })
  })

  it('have public review pages: https addresses of the internet alone, five at most', async () => {
    const maps = 'https://www.google.com/maps/place/Casa/@40.4,-3.7,17z?hl=es'
    const kept = [maps, 'https://xn--mnchen-3ya.example/']
    const saved = await change(at('Sur'), { review_urls: [maps, ' https://München.example', maps] })
    expect(saved.body.data.review_urls).toEqual(kept)
    const others = ['operaciones', 'marketing'] as const
    for (const role of others)
      expect(
        (await change(at('Sur'), { review_urls: [] }, await signedIn(await group.person(role)))).status,
      ).toBe(403)
    const refused = async (review_urls: unknown, code: string) =>
      expect(await change(at('Sur'), { review_urls }), JSON.stringify(review_urls)).toEqual({
        status: 400,
        body: expect.objectContaining({ issues: [expect.objectContaining({ code })] }),
      })
    for (const wrong of ['javascript:alert(1)', 'http://www.google.com/', 'google.com', 'ftp://a.example/'])
      await refused([maps, wrong], 'scheme')
    await refused(['https://ana:secreta@a.example/'], 'invalid')
    await refused(['https://localhost/'], 'internal_name')
    await refused(['https://intranet/'], 'internal_name')
    await refused(['https://10.0.0.1/'], 'private')
    await refused(['https://0x7f.1/'], 'loopback')
    await refused([`https://a.example/${'x'.repeat(500)}`], 'too_long')
    await refused([`https://a.example/${'ñ'.repeat(200)}`], 'too_long')
    await refused(
      Array.from({ length: 6 }, (_, n) => `https://a.example/${n}`),
      'too_many',
    )
    await refused(null, 'wrong_type')
    const { body } = await answer(await boss.request('GET', `/api/locations/${at('Sur')}`))
    expect(body.data.review_urls).toEqual(kept)
    expect((await change(at('Sur'), { review_urls: [] })).body.data.review_urls).toEqual([])
  })

  it.each([
    ['another scheme', '{javascript:alert(1)}'],
    ['credentials', '{https://ana:secreta@a.example/}'],
    ['a blank', '{"https://a.example/ b"}'],
    [
      'six',
      '{https://a.example,https://b.example,https://c.example,https://d.example,https://e.example,https://f.example}',
    ],
    ['none', '{null}'],
    ['a long one', `{https://a.example/${'x'.repeat(500)}}`],
  ])('the database takes no review page with %s', async (_, urls) => {
    const write = app.stack.sql('update public.locations set review_urls = $2 where id = $1', [
      at('Sur'),
      urls,
    ])
    await expect(write).rejects.toThrow('locations_review_urls_check')
  })

  it('take a brand of the organization, and no other', async () => {
    const brands = await app.stack.sql<{ id: string; mine: boolean }>(
      'select id::text, organization_id = $1 as mine from public.brands',
      [group.id],
    )
    const brand = (mine: boolean) => brands.find((one) => one.mine === mine)?.id
    for (const brand_id of [brand(false), crypto.randomUUID()]) {
      const refused = {
        status: 400,
        body: expect.objectContaining({
          code: 'INVALID_INPUT',
          issues: [expect.objectContaining({ path: 'brand_id' })],
        }),
      }
      expect(await change(at('Sur'), { brand_id })).toEqual(refused)
      expect(await create({ name: 'Con marca', brand_id })).toEqual(refused)
    }
    expect((await change(at('Sur'), { brand_id: null })).body.data.brand_id).toBeNull()
    expect((await change(at('Sur'), { brand_id: brand(true) })).body.data.brand_id).toBe(brand(true))
  })

  it('keep what a change does not name', async () => {
    const { body: before } = await answer(await boss.request('GET', `/api/locations/${at('Sur')}`))
    expect(await change(at('Sur'), {})).toEqual({ status: 200, body: before })
    const changed = await change(at('Sur'), { is_active: false, address: 'Calle Mayor 1' })
    expect(changed.body.data).toEqual({ ...before.data, is_active: false, address: 'Calle Mayor 1' })
    await change(at('Sur'), { is_active: true, address: null })
  })

  it('count unmarked visits unless they say otherwise, each for itself', async () => {
    const counts = async (name: string) =>
      (await answer(await boss.request('GET', `/api/locations/${at(name)}`))).body.data.count_unmarked_visits
    await app.stack.sql('delete from public.audit_log')
    const off = { count_unmarked_visits: false }
    expect((await change(at('Norte'), off, bound)).body.data).toMatchObject(off)
    expect([await counts('Norte'), await counts('Sur')]).toEqual([false, true])
    expect(
      await app.stack.sql('select action, subject_id::text as id, details from public.audit_log'),
    ).toEqual([
      {
        action: 'location.changed',
        id: at('Norte'),
        details: {
          fields: ['count_unmarked_visits'],
          before: { count_unmarked_visits: true },
          after: { count_unmarked_visits: false },
        },
      },
    ])
    expect((await create({ name: 'Sin marcas', ...off })).body.data).toMatchObject(off)
    await change(at('Norte'), { count_unmarked_visits: true })
    expect(await counts('Norte')).toBe(true)
  })

  it('may have quiet hours of their own: both ends, or neither', async () => {
    await app.stack.sql('delete from public.audit_log')
    const own = { quiet_from: '16:00', quiet_until: '20:30' }
    expect((await change(at('Norte'), own, bound)).body.data).toMatchObject(own)
    expect(await app.stack.sql('select details from public.audit_log')).toEqual([
      {
        details: {
          fields: ['quiet_from', 'quiet_until'],
          before: { quiet_from: null, quiet_until: null },
          after: { quiet_from: '16:00:00', quiet_until: '20:30:00' },
        },
      },
    ])
    for (const half of [{ quiet_from: '15:00' }, { quiet_until: null }, { ...own, quiet_until: '24:00' }])
      expect(await change(at('Norte'), half)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', issues: [{ path: 'quiet_until' }] },
      })
    expect((await create({ name: 'Callado', ...own })).body.data).toMatchObject(own)
    const none = { quiet_from: null, quiet_until: null }
    expect((await change(at('Norte'), none)).body.data).toMatchObject(none)
  })

  it('are deleted unless reservations, people or invitations hang on them', async () => {
    const IN_USE = {
      status: 409,
      body: expect.objectContaining({ code: 'LOCATION_IN_USE' }),
    }
    const remove = (id: string) => boss.request('DELETE', `/api/locations/${id}`)
    expect(await answer(await remove(at('Norte')))).toEqual(IN_USE)
    const id = String((await create({ name: 'Pasajera' })).body.data.id)
    await app.stack.sql(
      `insert into public.invitations (organization_id, email, role, location_ids) values ($1, 'p@x.example', 'rrhh', $2)`,
      [group.id, `{${id}}`],
    )
    expect(await answer(await remove(id))).toEqual(IN_USE)
    await app.stack.sql('delete from public.invitations where $1 = any(location_ids)', [id])
    await app.stack.sql(
      `insert into public.reservations (organization_id, location_id, reservation_date, reservation_time, party_size)
       values ($1, $2, '2026-05-01', '21:00', 2)`,
      [group.id, id],
    )
    expect(await answer(await remove(id))).toEqual(IN_USE)
    await app.stack.sql('delete from public.reservations where location_id = $1', [id])
    expect((await remove(id)).status).toBe(204)
    expect((await remove(id)).status).toBe(404)
  })

  it('come in pages by name, whatever the names contain', async () => {
    const all = names((await list('?limit=200')).body)
    expect(all).toContain('Zona "C", \\ y (D)')
    const paged: string[] = []
    let query = '?limit=1'
    for (;;) {
      const { body } = await list(query)
      paged.push(...names(body))
      if (!body.next_cursor) break
      query = `?limit=1&cursor=${body.next_cursor}`
    }
    expect(paged).toEqual(all)
    expect((await list('?cursor=WzFd')).status).toBe(400)
  })

  it.each([
    [{ name: '' }],
    [{ name: null }],
    [{ name: 'A\u0000' }],
    [{ timezone: 'Europa/Madrid' }],
    [{ timezone: 'europe/madrid' }],
    [{ timezone: '+02:00' }],
    [{ timezone: null }],
    [{ average_spend_per_guest: -1 }],
    [{ average_spend_per_guest: 10_001 }],
    ['{"average_spend_per_guest":1e400}'],
    [{ average_spend_per_guest: '30' }],
    [{ is_active: null }],
    [{ count_unmarked_visits: null }],
    [{ count_unmarked_visits: 'no' }],
    [{ brand_id: 'x' }],
    [{ city: 'x'.repeat(121) }],
    [{ pms_id: 'a\nb' }],
    [{ id: crypto.randomUUID() }],
    [{ organization_id: crypto.randomUUID() }],
    [{ refresh_from: crypto.randomUUID() }],
    [undefined],
    [[]],
  ])('refuse %j', async (body) => {
    const before = await stored()
    expect(await change(at('Sur'), body)).toEqual({
      status: 400,
      body: expect.objectContaining({ code: expect.any(String) }),
    })
    const whole =
      body !== null && typeof body === 'object' && !Array.isArray(body) ? { name: 'Nueva', ...body } : body
    expect((await create(whole)).status).toBe(400)
    expect(await stored()).toEqual(before)
  })
})

describe('another average spend or time zone', () => {
  const spends = () =>
    app.stack.sql(
      `select split_part(email, '@', 1) as who, total_spend::float as spend, total_visits as visits,
         to_char(last_visit_at at time zone 'UTC', 'HH24:MI') as last
       from public.customers where organization_id = $1 order by 1`,
      [group.id],
    )
  const book = (who: string, place: string, amount: number | null, source = 'pms') =>
    app.stack.sql(
      `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
         party_size, status, total_amount, source)
       select $1, $2, c.id, '2026-05-01', '21:00', 2, 'completed', $4, $5
       from public.customers c where c.organization_id = $1 and c.email = $3 || '@correo.example'`,
      [group.id, at(place), who, amount, source],
    )

  beforeAll(async () => {
    await app.stack.sql(
      `insert into public.customers (organization_id, email, total_spend)
       select $1, who || '@correo.example', 1 from unnest(array['ana', 'luis', 'sol', 'nadie', 'csv']) as who`,
      [group.id],
    )
    await book('ana', 'Norte', null)
    await book('ana', 'Sur', null)
    await book('luis', 'Norte', 99.5)
    await book('sol', 'Sur', null)
    await book('csv', 'Norte', null, 'import')
  })

  it('recomputes only customers who have been there', async () => {
    expect((await change(at('Norte'), { average_spend_per_guest: 40.25 })).status).toBe(200)
    expect(await spends()).toEqual([
      { who: 'ana', spend: 180.5, visits: 2, last: '19:00' },
      { who: 'csv', spend: 1, visits: 0, last: null },
      { who: 'luis', spend: 99.5, visits: 1, last: '19:00' },
      { who: 'nadie', spend: 1, visits: 0, last: null },
      { who: 'sol', spend: 1, visits: 0, last: null },
    ])
    expect((await change(at('Norte'), { average_spend_per_guest: null })).status).toBe(200)
    expect((await spends())[0]).toMatchObject({ who: 'ana', spend: 100 })
    await change(at('Norte'), { timezone: 'Atlantic/Canary' })
    expect((await spends())[2]).toMatchObject({ who: 'luis', last: '20:00' })
    expect(await pending()).toBe(0)
  })

  it('leaves customers alone when neither changed', async () => {
    await app.stack.sql(`update public.customers set total_spend = 7 where email = 'ana@correo.example'`)
    await change(at('Norte'), { city: 'Madrid', timezone: 'Atlantic/Canary', average_spend_per_guest: null })
    expect((await spends())[0]).toMatchObject({ spend: 7 })
  })

  it('goes on where an interrupted run stopped, in batches', async () => {
    const save = { p_location: at('Sur'), p_values: { average_spend_per_guest: 10 } }
    const { db } = await group.person('super_admin')
    await db.rpc('save_location', save).throwOnError()
    expect(await pending()).toBe(1)
    const service = stackClient(app.stack, 'service')
    await finishRefresh(service, at('Sur'), { batch: 1, budgetMs: 0 })
    expect(await pending()).toBe(1)
    await finishRefresh(service, at('Sur'), { batch: 2 })
    expect(await pending()).toBe(0)
    expect((await spends()).map(({ spend }) => spend)).toEqual([20, 1, 99.5, 1, 20])
  })

  it('is finished by any later change of the location', async () => {
    const { db } = await group.person('super_admin')
    const save = { p_location: at('Sur'), p_values: { average_spend_per_guest: 15 } }
    await db.rpc('save_location', save).throwOnError()
    await change(at('Sur'), {})
    expect(await pending()).toBe(0)
    expect((await spends())[4]).toMatchObject({ who: 'sol', spend: 30 })
  })

  const pending = async () =>
    (await app.stack.sql('select 1 from public.locations where refresh_from is not null')).length
})
