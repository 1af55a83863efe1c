import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group, type Person } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let other: Group
let boss: Client
let cook: Client
let tiers: Record<string, string>

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Fiel', [
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  other = await createGroup(app.stack, 'Otro Grupo', [{ name: 'Este', slug: 'este' }])
  const people: Person[] = [
    await group.person('super_admin'),
    await group.person('rrhh', [location('Norte')]),
  ]
  const clients = await Promise.all(people.map(signedIn))
  boss = clients[0] as Client
  cook = clients[1] as Client
  const rows = await app.stack.sql<{ name: string; id: string }>(
    'select name, id::text from public.loyalty_tiers where organization_id = $1',
    [group.id],
  )
  tiers = Object.fromEntries(rows.map(({ name, id }) => [name, id]))
})
afterEach(async () => {
  await app.stack.sql(emptyTables('loyalty_rules', 'customers', 'loyalty_configs'))
  await app.stack.sql(`delete from public.loyalty_tiers where name = 'Amigo'`)
  await app.stack.sql(
    `update public.loyalty_tiers set rank = array_position(array['Bronce', 'Plata', 'Oro', 'Platino'], name)`,
  )
})
afterAll(() => app?.close())

const location = (name: string) => String(group.locations.find((one) => one.name === name)?.id)
const savedRules = () =>
  app.stack.sql(
    `select t.name, r.min_spend::float, r.min_visits from public.loyalty_rules r
     join public.loyalty_tiers t on t.id = r.tier_id order by t.rank`,
  )

describe('POST /api/loyalty/rules', () => {
  const save = (client: Client, body: unknown) =>
    client.request('POST', '/api/loyalty/rules', { body }).then(answer)
  const rules = (...list: unknown[]) => ({ locationId: location('Norte'), rules: list })
  const INCOMPLETE = { status: 400, body: { error: 'Datos incompletos' } }

  it('saves and overwrites a location’s rules, for anyone of the organization; what is missing or falsy is 0', async () => {
    const first = rules({ tier_id: tiers.Plata, min_spend: 100.5, min_visits: 3 }, { tier_id: tiers.Bronce })
    expect(await save(cook, first)).toEqual({ status: 200, body: { success: true } })
    const second = rules({ tier_id: tiers.Plata, min_spend: null, min_visits: '' })
    expect(await save(boss, second)).toEqual({ status: 200, body: { success: true } })
    expect(await savedRules()).toEqual([
      { name: 'Bronce', min_spend: 0, min_visits: 0 },
      { name: 'Plata', min_spend: 0, min_visits: 0 },
    ])
  })

  it('leaves the tiers of customers alone', async () => {
    await app.stack.sql(
      `insert into public.customers (organization_id, location_id, total_visits) values ($1, $2, 9)`,
      [group.id, location('Norte')],
    )
    await save(boss, rules({ tier_id: tiers.Plata, min_visits: 1 }))
    expect(await app.stack.sql('select loyalty_tier_id from public.customers')).toEqual([
      { loyalty_tier_id: null },
    ])
  })

  it('saves all or nothing: an unknown tier or one of another organization', async () => {
    const [foreign] = await app.stack.sql<{ id: string }>(
      'select id::text from public.loyalty_tiers where organization_id = $1 limit 1',
      [other.id],
    )
    for (const tier_id of [foreign?.id, crypto.randomUUID()]) {
      expect(await save(boss, rules({ tier_id: tiers.Oro, min_visits: 5 }, { tier_id }))).toEqual(INCOMPLETE)
    }
    expect(await savedRules()).toEqual([])
  })

  it.each([
    ['nothing', undefined],
    ['broken JSON', '{'],
    ['no location', { rules: [] }],
    ['no rules', { locationId: crypto.randomUUID() }],
    ['a location that is no id', { locationId: 'norte', rules: [] }],
    ['rules that are no list', { locationId: crypto.randomUUID(), rules: {} }],
    [
      'a negative number',
      { locationId: crypto.randomUUID(), rules: [{ tier_id: crypto.randomUUID(), min_spend: -1 }] },
    ],
    [
      'half a visit',
      { locationId: crypto.randomUUID(), rules: [{ tier_id: crypto.randomUUID(), min_visits: 0.5 }] },
    ],
  ])('refuses %s', async (_, body) => {
    expect(await save(boss, body)).toEqual(INCOMPLETE)
  })

  it('refuses a location of another organization, and one that is not there', async () => {
    for (const locationId of [other.locations[0]?.id, crypto.randomUUID()]) {
      expect(await save(boss, { locationId, rules: [] })).toEqual({
        status: 403,
        body: { error: 'No autorizado para esta ubicación' },
      })
    }
  })
})

describe('the loyalty programme', () => {
  const PATH = '/api/loyalty/config'
  const config = {
    tiers: [
      { name: 'Amigo', min_spend: 0, points_multiplier: 1 },
      { name: 'Oro', min_spend: 800.5, points_multiplier: 1.75 },
    ],
  }

  it('is the default four tiers until one is stored, also without a session', async () => {
    const defaults = {
      tiers: [
        { name: 'Bronce', min_spend: 0, points_multiplier: 1 },
        { name: 'Plata', min_spend: 1000, points_multiplier: 1.2 },
        { name: 'Oro', min_spend: 2500, points_multiplier: 1.5 },
        { name: 'Platino', min_spend: 5000, points_multiplier: 2 },
      ],
    }
    for (const client of [cook, app.client()]) {
      expect(await answer(await client.request('GET', PATH))).toEqual({ status: 200, body: defaults })
    }
  })

  it('stored by a super_admin is answered from then on, and the tiers follow by name in list order', async () => {
    expect(await answer(await boss.request('PUT', PATH, { body: config }))).toEqual({
      status: 200,
      body: config,
    })
    for (const client of [cook, app.client()]) {
      expect(await answer(await client.request('GET', PATH))).toEqual({ status: 200, body: config })
    }
    const { body } = await answer(await cook.request('GET', '/api/loyalty/tiers'))
    expect(body.next_cursor).toBeNull()
    expect(
      body.data.map((tier: Record<string, unknown>) => [tier.name, tier.rank, tier.points_multiplier]),
    ).toEqual([
      ['Amigo', 1, 1],
      ['Oro', 2, 1.75],
      ['Bronce', 3, 1],
      ['Plata', 4, 1.2],
      ['Platino', 5, 2],
    ])
    expect(body.data.find((tier: { name: string }) => tier.name === 'Oro').id).toBe(tiers.Oro)
  })

  it.each([
    [{}],
    [{ tiers: [] }],
    [{ tiers: [{ name: '', min_spend: 0, points_multiplier: 1 }] }],
    [{ tiers: [{ name: 'A', min_spend: -1, points_multiplier: 1 }] }],
    [{ tiers: [...config.tiers, ...config.tiers] }],
  ])('refuses %j and keeps what there was', async (body) => {
    await boss.request('PUT', PATH, { body: config })
    const refused = await answer(await boss.request('PUT', PATH, { body }))
    expect(refused).toEqual({ status: 400, body: { error: expect.any(String) } })
    expect(await answer(await boss.request('GET', PATH))).toEqual({ status: 200, body: config })
  })
})

describe('POST /api/loyalty/recalculate', () => {
  const PATH = '/api/loyalty/recalculate'

  it('raises customers who meet a rule of their location, and lowers none', async () => {
    await boss.request('POST', '/api/loyalty/rules', {
      body: {
        locationId: location('Norte'),
        rules: [
          { tier_id: tiers.Plata, min_spend: 50, min_visits: 1 },
          { tier_id: tiers.Bronce, min_spend: 0, min_visits: 1 },
        ],
      },
    })
    await app.stack.sql(
      `insert into public.customers (organization_id, location_id, email, total_visits, total_spend, loyalty_tier_id)
       values ($1, $2, 'plata@correo.example', 2, 50, null), ($1, $2, 'bronce@correo.example', 1, 49.99, null),
         ($1, $2, 'nuevo@correo.example', 0, 0, null), ($1, $3, 'sur@correo.example', 9, 900, null),
         ($1, $2, 'oro@correo.example', 1, 60, $4::uuid)`,
      [group.id, location('Norte'), location('Sur'), tiers.Oro],
    )
    const result = await answer(await boss.request('POST', PATH))
    expect(result).toEqual({ status: 200, body: { success: true, evaluated: 5, upgraded: 2 } })
    const held = await app.stack.sql(
      `select split_part(c.email, '@', 1) as who, t.name as tier from public.customers c
       left join public.loyalty_tiers t on t.id = c.loyalty_tier_id order by 1`,
    )
    expect(held).toEqual([
      { who: 'bronce', tier: 'Bronce' },
      { who: 'nuevo', tier: null },
      { who: 'oro', tier: 'Oro' },
      { who: 'plata', tier: 'Plata' },
      { who: 'sur', tier: null },
    ])
    expect((await answer(await boss.request('POST', PATH))).body).toMatchObject({ evaluated: 5, upgraded: 0 })
  })
})

describe('the rules of a new location', () => {
  const rules = (min_spend: number[]) =>
    ['Bronce', 'Plata', 'Oro', 'Platino'].map((name, n) => ({ name, min_spend: min_spend[n], min_visits: 0 }))
  let made = 0
  async function open() {
    const created = await boss.request('POST', '/api/locations', { body: { name: `Nuevo ${++made}` } })
    expect(created.status).toBe(201)
  }

  it('start from the contract’s minimum spend while nothing is stored', async () => {
    await open()
    const { tiers } = (await answer(await boss.request('GET', '/api/loyalty/config'))).body
    const defaults = tiers.map(({ min_spend }: { min_spend: number }) => min_spend)
    expect(await savedRules()).toEqual(rules(defaults))
  })

  it('start from the stored one, for the tiers it names, and are the location’s own from then on', async () => {
    const tiers = [
      { name: 'Bronce', min_spend: 0, points_multiplier: 1 },
      { name: 'Amigo', min_spend: 75.5, points_multiplier: 1.1 },
    ]
    await boss.request('PUT', '/api/loyalty/config', { body: { tiers } })
    await open()
    const expected = [
      { name: 'Bronce', min_spend: 0, min_visits: 0 },
      { name: 'Amigo', min_spend: 75.5, min_visits: 0 },
    ]
    expect(await savedRules()).toEqual(expected)
    await boss.request('PUT', '/api/loyalty/config', { body: { tiers: [{ ...tiers[0], min_spend: 9 }] } })
    expect(await savedRules()).toEqual(expected)
  })
})
