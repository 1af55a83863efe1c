import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FACTS } from '@/lib/customers/fact-codes'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

let g: Guests
let boss: Client
let host: Client
beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  boss = await g.hire('admin')
  host = await g.hire('operaciones')
})
beforeEach(() => g.sql(emptyTables('customers', 'reservations', 'customer_facts', 'audit_log')))
afterAll(() => g?.app.close())

const make = async (fields: object = {}): Promise<string> =>
  (await g.ask(boss, 'POST', '/api/customers', { first_name: 'Ana', ...fields })).body.data.id
const read = (id: string, client = boss) => g.ask(client, 'GET', `/api/customers/${id}/facts`)
const record = (id: string, facts: object[], client = boss) =>
  g.ask(client, 'PUT', `/api/customers/${id}/facts`, { facts })
const records = (id: string) =>
  g.sql<{ code: string; who: string; at: string }>(
    `select code, recorded_by as who, recorded_at::text as at from public.customer_facts
     where customer_id = $1 order by code`,
    [id],
  )
const changes = (id: string) =>
  g.sql(
    `select action, details from public.audit_log where subject_id = $1 and action = 'customer.changed'
     order by created_at`,
    [id],
  )

describe('the facts of a customer', () => {
  it('are recorded with their notes, and read allergies first', async () => {
    const id = await make()
    expect(await read(id)).toMatchObject({ status: 200, body: { data: { facts: [], suggested: [] } } })
    const facts = [
      { code: 'nuts', kind: 'allergy', note: 'Lleva adrenalina' },
      { code: 'vegan', kind: 'diet', note: null },
      { code: 'window', kind: 'preference', note: null },
    ]
    const sent = [
      { code: 'window', note: '  ' },
      { code: 'vegan' },
      { code: 'nuts', note: ' Lleva adrenalina ' },
    ]
    expect(await record(id, sent)).toMatchObject({ status: 200, body: { data: { facts, suggested: [] } } })
    expect((await read(id, host)).body.data.facts).toEqual(facts)
    await record(id, [{ code: 'vegan' }])
    expect((await read(id)).body.data.facts).toEqual([{ code: 'vegan', kind: 'diet', note: null }])
  })

  it('may be any of those that the interface names', async () => {
    const id = await make()
    const codes = Object.values(FACTS).flat()
    const { status, body } = await record(
      id,
      codes.map((code) => ({ code })),
    )
    expect(status).toBe(200)
    expect(body.data.facts.map(({ code }: { code: string }) => code)).toEqual(codes)
  })

  it('keep who recorded them and when, unless they change', async () => {
    const id = await make()
    await record(id, [{ code: 'nuts' }, { code: 'egg' }])
    const before = await records(id)
    await record(id, [{ code: 'nuts' }, { code: 'egg', note: 'Solo crudo' }, { code: 'dog' }], host)
    const after = await records(id)
    const [egg, nuts] = before
    expect(after.map(({ code }) => code)).toEqual(['dog', 'egg', 'nuts'])
    expect(after[2]).toEqual(nuts)
    expect(after[1]?.who).toBe(after[0]?.who)
    expect(after[1]?.who).not.toBe(egg?.who)
    expect(after[1]?.at).not.toBe(egg?.at)
  })

  it('are logged as changed, without their values, and only when something changed', async () => {
    const id = await make()
    await record(id, [{ code: 'nuts', note: 'Lleva adrenalina' }])
    await record(id, [{ code: 'nuts', note: 'Lleva adrenalina' }])
    expect(await changes(id)).toEqual([{ action: 'customer.changed', details: { fields: ['facts'] } }])
    await record(id, [])
    expect(await changes(id)).toHaveLength(2)
  })

  it('are refused when one comes twice, is unknown or has a note that is too long', async () => {
    const id = await make()
    await record(id, [{ code: 'nuts' }])
    const refused = async (facts: object[]) => (await record(id, facts)).body.issues
    expect(await refused([{ code: 'egg' }, { code: 'egg', note: 'x' }])).toEqual([
      { path: 'facts', code: 'not_unique' },
    ])
    expect(await refused([{ code: 'gold' }])).toEqual([{ path: 'facts.0.code', code: 'unknown_value' }])
    expect(await refused([{ code: 'egg', note: 'x'.repeat(201) }])).toEqual([
      { path: 'facts.0.note', code: 'too_long', params: { maximum: 200 } },
    ])
    expect(await refused([{ code: 'egg', kind: 'diet' }])).toEqual([
      expect.objectContaining({ code: 'unknown_field' }),
    ])
    expect((await read(id)).body.data.facts).toEqual([{ code: 'nuts', kind: 'allergy', note: null }])
  })
})

describe('suggestions', () => {
  const suggested = async (id: string, client = boss) => (await read(id, client)).body.data.suggested

  it('come from notes, tags and reservations, and go once they are recorded', async () => {
    const id = await make({
      email: 'ana@correo.example',
      notes: 'Alérgica a los frutos secos.',
      tags: ['vegana'],
    })
    await g.sync([{ id: '1', client_email: 'ana@correo.example', client_name: 'Ana', notes: 'Sin gluten' }])
    expect(await suggested(id)).toEqual(['gluten', 'nuts', 'vegan'])
    const { body } = await record(id, [{ code: 'nuts' }])
    expect(body.data.suggested).toEqual(['gluten', 'vegan'])
    expect(await suggested(id)).toEqual(['gluten', 'vegan'])
    expect((await records(id)).map(({ code }) => code)).toEqual(['nuts'])
  })

  it('do not tell of reservations elsewhere, nor of those before the latest twenty', async () => {
    const id = await make({ email: 'ana@correo.example' })
    const ana = { client_email: 'ana@correo.example', client_name: 'Ana' }
    await g.sync([{ id: 'sur', ...ana, notes: 'Celíaca' }], 'Sur')
    const bound = await g.hire('operaciones', 'Norte')
    expect(await suggested(id)).toEqual(['gluten'])
    expect(await suggested(id, bound)).toEqual([])
    const later = Array.from({ length: 20 }, (_, n) => ({ id: `n${n}`, ...ana, date: '2026-06-01' }))
    await g.sync(later)
    expect(await suggested(id)).toEqual([])
  })
})

describe('what becomes of facts', () => {
  it('a merge keeps those of both, and the notes of both', async () => {
    const kept = await make({ email: 'ana@correo.example' })
    const gone = await make({ email: 'anita@correo.example' })
    await record(kept, [
      { code: 'nuts' },
      { code: 'egg', note: 'Solo crudo' },
      { code: 'milk', note: 'Poca' },
    ])
    await record(gone, [
      { code: 'nuts', note: 'Lleva adrenalina' },
      { code: 'egg', note: 'También cocido' },
      { code: 'milk', note: 'Poca' },
      { code: 'vegan' },
    ])
    expect((await g.ask(boss, 'POST', `/api/customers/${kept}/merge`, { duplicate_id: gone })).status).toBe(
      200,
    )
    expect((await read(kept)).body.data.facts).toEqual([
      { code: 'egg', kind: 'allergy', note: 'Solo crudo · También cocido' },
      { code: 'milk', kind: 'allergy', note: 'Poca' },
      { code: 'nuts', kind: 'allergy', note: 'Lleva adrenalina' },
      { code: 'vegan', kind: 'diet', note: null },
    ])
  })

  it('the export of a person has them', async () => {
    const id = await make()
    await record(id, [{ code: 'nuts', note: 'Lleva adrenalina' }])
    const [by] = await records(id)
    const { body } = await g.ask(boss, 'GET', `/api/customers/${id}/export`)
    expect(body.facts).toEqual([
      {
        ...{ code: 'nuts', kind: 'allergy', note: 'Lleva adrenalina' },
        ...{ recorded_by: by?.who, recorded_at: expect.any(String) },
      },
    ])
  })

  it('an erasure removes them', async () => {
    const id = await make()
    await record(id, [{ code: 'nuts', note: 'Lleva adrenalina' }])
    expect((await g.ask(boss, 'DELETE', `/api/customers/${id}`)).status).toBe(204)
    expect(await g.sql('select code from public.customer_facts')).toEqual([])
    expect((await read(id)).status).toBe(404)
  })
})
