import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let boss: Client
let tiers: Record<string, string>
const RULES = '/api/loyalty/rules'
const PREVIEW = '/api/loyalty/preview'

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Rejilla', [
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  boss = await signedIn(await group.person('marketing'))
  const rows = await app.stack.sql<{ name: string; id: string }>(
    'select name, id::text from public.loyalty_tiers where organization_id = $1',
    [group.id],
  )
  tiers = Object.fromEntries(rows.map(({ name, id }) => [name, id]))
})
afterEach(() => app.stack.sql(emptyTables('loyalty_rules', 'customers')))
afterAll(() => app?.close())

const location = (name: string) => String(group.locations.find((one) => one.name === name)?.id)
const change = (place: string, tier: string, rule: [spend: number, visits: number] | null) => ({
  location_id: location(place),
  tier_id: tiers[tier],
  rule: rule && { min_spend: rule[0], min_visits: rule[1] },
})
const patch = (...changes: unknown[]) => boss.request('PATCH', RULES, { body: { changes } }).then(answer)
const saved = async () => {
  const { body } = await answer(await boss.request('GET', RULES))
  return body.data
    .map((rule: Record<string, unknown>) => {
      const place = group.locations.find(({ id }) => id === rule.location_id)?.name
      const tier = Object.keys(tiers).find((name) => tiers[name] === rule.tier_id)
      return `${place} ${tier} ${rule.min_spend} ${rule.min_visits}`
    })
    .sort()
}

describe('the rules of several locations', () => {
  it('change together: set, changed and taken away', async () => {
    await patch(
      change('Norte', 'Plata', [100, 2]),
      change('Sur', 'Plata', [80.5, 1]),
      change('Sur', 'Oro', [9, 9]),
    )
    expect(await saved()).toEqual(['Norte Plata 100 2', 'Sur Oro 9 9', 'Sur Plata 80.5 1'])
    await patch(change('Norte', 'Plata', [120, 2]), change('Sur', 'Oro', null))
    expect(await saved()).toEqual(['Norte Plata 120 2', 'Sur Plata 80.5 1'])
  })

  it('change all or none', async () => {
    await patch(change('Norte', 'Plata', [100, 2]))
    const refused = await patch(change('Norte', 'Plata', null), {
      location_id: crypto.randomUUID(),
      tier_id: tiers.Oro,
      rule: null,
    })
    expect(refused).toEqual({ status: 403, body: expect.objectContaining({ code: 'FOREIGN_LOCATION' }) })
    expect(await saved()).toEqual(['Norte Plata 100 2'])
    const twice = await patch(change('Norte', 'Plata', null), change('Norte', 'Plata', [1, 1]))
    expect(twice.status).toBe(400)
  })
})

describe('the preview', () => {
  const preview = async (...changes: unknown[]) => {
    const { body } = await answer(await boss.request('POST', PREVIEW, { body: { changes } }))
    const rises = body.data.rises.map((rise: { location_id: string; tier_id: string; customers: number }) => {
      const place = group.locations.find(({ id }) => id === rise.location_id)?.name
      return `${place} ${Object.keys(tiers).find((name) => tiers[name] === rise.tier_id)} ${rise.customers}`
    })
    return { evaluated: body.data.evaluated, rises: rises.sort() }
  }

  it('is what the recalculation then does, and writes nothing', async () => {
    await app.stack.sql(
      `insert into public.customers (organization_id, location_id, total_visits, total_spend, loyalty_tier_id)
       select $1::uuid, case n % 3 when 0 then $2::uuid when 1 then $3::uuid end, n % 7, (n % 11) * 10,
         case n % 5 when 0 then $4::uuid when 1 then $5::uuid end
       from generate_series(1, 400) as n`,
      [group.id, location('Norte'), location('Sur'), tiers.Bronce, tiers.Oro],
    )
    await patch(
      change('Norte', 'Bronce', [0, 1]),
      change('Norte', 'Oro', [90, 3]),
      change('Sur', 'Platino', [0, 0]),
    )
    const changes = [
      change('Norte', 'Plata', [30, 2]),
      change('Norte', 'Oro', [60, 3]),
      change('Sur', 'Platino', null),
      change('Sur', 'Plata', [50, 0]),
    ]
    const before = await app.stack.sql('select * from public.customers order by id')
    const seen = await preview(...changes)
    expect(await app.stack.sql('select * from public.customers order by id')).toEqual(before)
    expect(await saved()).toHaveLength(3)
    expect(seen.evaluated).toBe(400)
    expect(seen.rises.length).toBeGreaterThan(2)

    await patch(...changes)
    const held = 'select id, location_id, loyalty_tier_id from public.customers order by id'
    type Row = { id: string; location_id: string; loyalty_tier_id: string }
    const was = await app.stack.sql<Row>(held)
    const { body } = await answer(await boss.request('POST', '/api/loyalty/recalculate'))
    const now = await app.stack.sql<Row>(held)
    const rose = now.filter((row, n) => row.loyalty_tier_id !== was[n]?.loyalty_tier_id)
    const counted = new Map<string, number>()
    for (const { location_id, loyalty_tier_id } of rose) {
      const place = group.locations.find(({ id }) => id === location_id)?.name
      const key = `${place} ${Object.keys(tiers).find((name) => tiers[name] === loyalty_tier_id)}`
      counted.set(key, (counted.get(key) ?? 0) + 1)
    }
    expect(seen.rises).toEqual([...counted].map(([key, count]) => `${key} ${count}`).sort())
    expect(body.upgraded).toBe(rose.length)
    expect(await preview()).toEqual({ evaluated: 400, rises: [] })
  })
})
