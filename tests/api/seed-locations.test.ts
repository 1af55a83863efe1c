import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Semilla', [
    { name: 'Marisma Cabanyal', slug: 'mine' },
    { name: 'Casa Lumbre Chamberí', slug: null },
  ])
  await createGroup(app.stack, 'Otro Grupo', [{ name: 'Casa Lumbre Triana', slug: 'theirs' }])
})
afterAll(() => app?.close())

/** Locations that are there before. */
const KNOWN = ['Marisma Cabanyal', 'Casa Lumbre Chamberí']

const PATH = '/api/admin/seed-locations'

describe('GET /api/admin/seed-locations', () => {
  it('creates what is missing, linked to its brand, leaves what is there, and does nothing the second time', async () => {
    const admin = await signedIn(await group.person('admin'))
    const { status, body } = await answer(await admin.request('GET', PATH))
    expect(status).toBe(200)
    expect({
      ...body,
      seeded: { brands: body.seeded.brands.sort(), locations: body.seeded.locations.sort() },
    }).toEqual({
      success: true,
      seeded: {
        brands: ['Casa Lumbre', 'Marisma', 'Taberna Nébula'],
        locations: ['Casa Lumbre Triana', 'Marisma Las Canteras', 'Taberna Nébula Gràcia'],
      },
    })
    const rows = await app.stack.sql(
      `select l.name, l.city, l.timezone, l.pms_id, l.average_spend_per_guest::float, b.slug as brand from public.locations l
       join public.brands b on b.id = l.brand_id where l.organization_id = $1 order by l.name`,
      [group.id],
    )
    expect(rows).toHaveLength(5)
    expect(rows.find((row) => row.name === 'Marisma Las Canteras')).toEqual({
      name: 'Marisma Las Canteras',
      city: 'Las Palmas de Gran Canaria',
      timezone: 'Atlantic/Canary',
      pms_id: 'marisma-las-canteras',
      average_spend_per_guest: 33,
      brand: 'marisma',
    })
    // What is there stays, but for a location without a slug.
    expect(rows.find((row) => row.name === 'Marisma Cabanyal')).toMatchObject({ pms_id: 'mine' })
    expect(rows.find((row) => row.name === 'Casa Lumbre Chamberí')).toMatchObject({
      pms_id: 'casa-lumbre-chamberi',
      average_spend_per_guest: 30,
    })
    const rules = await app.stack.sql(
      `select l.name, count(r.*)::int as rules from public.locations l
       left join public.loyalty_rules r on r.location_id = l.id where l.organization_id = $1 group by 1 order by 1`,
      [group.id],
    )
    expect(rules).toEqual(rows.map(({ name }) => ({ name, rules: KNOWN.includes(String(name)) ? 0 : 4 })))
    expect(await answer(await admin.request('GET', PATH))).toEqual({
      status: 200,
      body: { success: true, seeded: { brands: [], locations: [] } },
    })
  })
})
