import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

let g: Guests
let boss: Client
let good: string
let bad: string
const PATH = '/api/segments'
const VIP = { field: 'tags', is: 'any', tags: ['vip'] }
const FIELDS = { type: 'reengagement', channel: 'email', subject: 'Hola', body: 'Hola', status: 'active' }

beforeAll(async () => {
  g = await startGuests([{ name: 'Norte', slug: 'norte' }], { LOG_LEVEL: 'silent' })
  boss = await g.hire('super_admin')
  await g.sql(
    `insert into public.customers (organization_id, first_name, email, tags, location_id, last_visit_at, total_visits)
     select $1::uuid, n, lower(n) || '@correo.example', '{vip}', $2, '2026-01-01', 1 from unnest(array['Ana', 'Eva']) as n`,
    [g.group.id, g.places.Norte],
  )
})
afterAll(() => g?.app.close())
beforeEach(async () => {
  await g.sql('delete from public.automations')
  await g.sql('delete from public.segments')
  await g.sql(emptyTables('rate_limits'))
  const make = async (name: string) =>
    (await g.ask(boss, 'POST', PATH, { name, shared: true, definition: VIP })).body.data.id as string
  good = await make('Bueno')
  bad = await make('Roto')
})

/** What an erasure once left, what no version knows, and what is no condition at all. */
const BROKEN: [stored: object, shown: object][] = [
  [{ field: '[…]', is: 'before', days: 90 }, { broken: true }],
  [
    { and: [VIP, { field: 'last_visit', is: '[…]', days: 90 }] },
    { and: [VIP, { field: 'last_visit', broken: true }] },
  ],
  [
    { field: 'tier', tiers: ['[…]'] },
    { field: 'tier', broken: true },
  ],
  [
    { field: 'visits', min: '[…]' },
    { field: 'visits', broken: true },
  ],
  // It is a number, but fails where it is compared with a whole one.
  [
    { field: 'visits', min: 0.5 },
    { field: 'visits', broken: true },
  ],
  [
    { field: 'points', max: 0.5 },
    { field: 'points', broken: true },
  ],
  [{ and: [VIP, { field: 'no_shows', min: 1e-9 }] }, { and: [VIP, { field: 'no_shows', broken: true }] }],
  [
    { or: [{ not: { field: 'received', campaign_id: '[…]' } }, { and: [VIP, { field: 'shoe_size' }] }] },
    { or: [{ not: { field: 'received', broken: true } }, { and: [VIP, { broken: true }] }] },
  ],
  [
    { and: [{ field: 'postal_code', prefixes: [] }, { field: 'visited_on', weekdays: [0] }, VIP] },
    { and: [{ field: 'postal_code', broken: true }, { field: 'visited_on', broken: true }, VIP] },
  ],
  [
    { or: [{ field: 'language', any: ['ru'] }, { not: { field: 'city', any: [''] } }, VIP] },
    { or: [{ field: 'language', broken: true }, { not: { field: 'city', broken: true } }, VIP] },
  ],
  [{ and: [] }, { broken: true }],
  [{}, { broken: true }],
]
const breakIt = (definition: object) =>
  g.sql('update public.segments set definition = $2::jsonb where id = $1', [bad, JSON.stringify(definition)])

describe.each(BROKEN)('a segment whose stored definition is %j', (definition, shown) => {
  it('is marked in the list, and the others are whole', async () => {
    await breakIt(definition)
    const { status, body } = await g.ask(boss, 'GET', PATH)
    expect(status).toBe(200)
    expect(body.data).toMatchObject([
      { id: good, definition: VIP },
      { id: bad, name: 'Roto', broken: true },
    ])
    expect(body.data[0]).not.toHaveProperty('broken')
    expect(body.data[1].definition).toEqual(shown)
    expect((await g.ask(boss, 'GET', `${PATH}/${bad}`)).body.data).toMatchObject({ id: bad, broken: true })
  })

  it('has nobody in the list of customers, in its file and in a selection', async () => {
    await breakIt(definition)
    const listed = await g.ask(boss, 'GET', `/api/customers?segment_id=${bad}`)
    expect(listed).toMatchObject({ status: 200, body: { data: [] } })
    expect((await g.ask(boss, 'GET', `/api/customers?segment_id=${good}`)).body.data).toHaveLength(2)
    const file = await boss.request('GET', `/api/customers/export?segment_id=${bad}`)
    expect((await file.text()).trimEnd().split('\r\n')).toHaveLength(1)
  })

  it('can be renamed, compared with other conditions, saved again and deleted', async () => {
    await breakIt(definition)
    const path = `${PATH}/${bad}`
    const renamed = await g.ask(boss, 'PATCH', path, { name: 'Otro' })
    expect(renamed).toMatchObject({ status: 200, body: { data: { name: 'Otro', broken: true } } })
    const preview = await g.ask(boss, 'POST', `${PATH}/preview`, { definition: VIP, id: bad })
    expect(preview.body.data).toMatchObject({
      customers: 2,
      added: { customers: 2 },
      dropped: { customers: 0 },
    })
    const mended = await g.ask(boss, 'PATCH', path, { definition: VIP, loaded: { definition: null } })
    expect(mended.body.data).toMatchObject({ definition: VIP })
    expect(mended.body.data).not.toHaveProperty('broken')
    await breakIt(definition)
    const again = await g.ask(boss, 'PATCH', path, { definition: VIP, loaded: { definition: shown } })
    expect(again.body.data).toMatchObject({ definition: VIP })
    await breakIt(definition)
    expect((await g.ask(boss, 'DELETE', path)).status).toBe(204)
  })

  it('passes over the automation that uses it, and the others run', async () => {
    const automate = async (name: string, segment_id: string) => {
      const criteria = { inactive_days: 1, segment_id }
      const made = await g.ask(boss, 'POST', '/api/automations', { ...FIELDS, name, criteria })
      return made.body.data.id as string
    }
    const [first, second] = [await automate('A', bad), await automate('B', good)]
    await breakIt(definition)
    const headers = { authorization: `Bearer ${g.app.cronSecret}` }
    const response = await g.app.client().request('GET', '/api/cron/automations', { headers })
    expect(response.status).toBe(200)
    expect((await response.json()).details).toMatchObject([
      { automationId: first, success: false, processed: 0 },
      { automationId: second, success: true, processed: 2 },
    ])
    const byHand = await g.ask(boss, 'POST', `/api/automations/${first}/run`)
    expect(byHand).toMatchObject({ status: 200, body: { success: true, processed: 0 } })
    expect(byHand.body.errors).toEqual([expect.stringMatching(/segment cannot be read/)])
    expect((await g.ask(boss, 'GET', '/api/automations')).body.data).toHaveLength(2)
    const preview = await g.ask(boss, 'GET', `/api/automations/${first}/preview`)
    expect(preview).toMatchObject({ status: 200, body: { data: { matched: 0 } } })
    // What is unreadable is no reason against switching it off.
    const off = await g.ask(boss, 'PATCH', `/api/automations/${first}`, { status: 'inactive' })
    expect(off.status).toBe(200)
  })
})

describe('a segment that is saved by the database', () => {
  it.each([
    { field: 'visits', min: 0.5 },
    { field: 'visits', max: 1.5, period: { days: 30 } },
    { not: { field: 'no_shows', min: 0.1 } },
    { field: 'points', max: 0.5 },
  ])('is refused when it would fail for who uses it: %j', async (definition) => {
    const host = await g.group.person('operaciones')
    const p_fields = { name: 'Trampa', shared: true, definition }
    const { data, error } = await host.db.rpc('save_segment', { p_fields })
    expect({ data, code: error?.code }).toEqual({ data: null, code: '22023' })
    const ofGroup = await host.db.rpc('preview_segment', { p_definition: definition })
    expect(ofGroup.error?.code).toBe('22023')
  })
})
