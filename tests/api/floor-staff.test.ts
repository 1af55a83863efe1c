import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allergiesOf } from '@/lib/customers/allergies'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

const DAY = '2031-06-10'

let g: Guests
let boss: Client
let floor: Client
beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  boss = await g.hire('admin')
  floor = await g.hire('sala', 'Norte')
})
beforeEach(() => g.sql(emptyTables('customers', 'reservations', 'customer_facts', 'audit_log')))
afterAll(() => g?.app.close())

/** A guest with a reservation at the location. */
async function guest(place: string, fields: object = {}): Promise<string> {
  const made = await g.ask(boss, 'POST', '/api/customers', {
    first_name: 'Ana',
    last_name: 'Ruiz',
    ...fields,
  })
  const { id } = made.body.data
  const body = {
    ...{ location_id: g.places[place], customer_id: id, party_size: 2, reservation_time: '21:00' },
    ...{ reservation_date: DAY, notes: 'Celíaca' },
  }
  expect((await g.ask(boss, 'POST', '/api/reservations', body)).status).toBe(201)
  return id
}
const card = (id: string, client = floor) => g.ask(client, 'GET', `/api/service/guests/${id}`)

describe('the card of a guest', () => {
  it('shows facts, notes and habits, but no address, consent or spend', async () => {
    const id = await guest('Norte', {
      email: 'ana@example.com',
      phone: '600111222',
      notes: 'Cerca de la barra',
    })
    expect(await card(id)).toEqual({
      status: 200,
      body: {
        data: {
          ...{ id, name: 'Ana Ruiz', tier: null, tags: [], notes: 'Cerca de la barra', facts: [] },
          allergies: [],
          suggested: ['gluten'],
        },
      },
    })
  })

  it('is not of someone who has only been elsewhere, nor changed there', async () => {
    const id = await guest('Sur')
    expect((await card(id)).status).toBe(404)
    const answers = [
      await g.ask(floor, 'PATCH', `/api/service/guests/${id}`, { notes: 'x' }),
      await g.ask(floor, 'GET', `/api/customers/${id}/facts`),
      await g.ask(floor, 'PUT', `/api/customers/${id}/facts`, { facts: [{ code: 'nuts' }] }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect((await card(id, boss)).body.data).toMatchObject({ notes: null, facts: [] })
  })

  it('takes notes and facts from the floor, and logs that they changed', async () => {
    const id = await guest('Norte')
    const saved = await g.ask(floor, 'PATCH', `/api/service/guests/${id}`, {
      notes: ' Viene con su hermana ',
    })
    expect(saved).toMatchObject({ status: 200, body: { data: { notes: 'Viene con su hermana' } } })
    const facts = await g.ask(floor, 'PUT', `/api/customers/${id}/facts`, { facts: [{ code: 'gluten' }] })
    expect(facts.body.data).toMatchObject({ facts: [{ code: 'gluten' }], suggested: [] })
    const log = await g.sql<{ details: object }>(
      `select details from public.audit_log where subject_id = $1 and action = 'customer.changed' order by created_at`,
      [id],
    )
    expect(log.map(({ details }) => details)).toEqual([{ fields: ['notes'] }, { fields: ['facts'] }])
    // What stays as it was is no change.
    await g.ask(floor, 'PATCH', `/api/service/guests/${id}`, { notes: 'Viene con su hermana' })
    expect(await g.sql('select 1 from public.audit_log where subject_id = $1', [id])).toHaveLength(3)
  })
})

describe('floor staff', () => {
  it('run the service of their location, with what to know of each guest', async () => {
    const id = await guest('Norte', { notes: 'Cerca de la barra' })
    const { body } = await g.ask(floor, 'GET', `/api/service?location_id=${g.places.Norte}&date=${DAY}`)
    expect(body.data.parties).toMatchObject([{ customer_id: id, customer_notes: 'Cerca de la barra' }])
  })

  it('read the recorded allergies of the guests of their location, and of no others', async () => {
    const [here, elsewhere] = [await guest('Norte'), await guest('Sur')]
    for (const id of [here, elsewhere])
      await g.ask(boss, 'PUT', `/api/customers/${id}/facts`, { facts: [{ code: 'nuts', note: 'Grave' }] })
    const [sala, chief] = [
      await g.group.person('sala', [g.places.Norte ?? '']),
      await g.group.person('admin'),
    ]
    const found = await allergiesOf(sala, [here, elsewhere, null])
    expect([...found]).toEqual([[here, [{ customer_id: here, code: 'nuts', note: 'Grave' }]]])
    expect((await allergiesOf(chief, [here, elsewhere])).size).toBe(2)
  })

  it('without a location are in none, also when the sync is asked', async () => {
    const lost = await g.group.person('sala', [g.places.Norte ?? ''])
    await g.sql('delete from public.profile_locations where profile_id = $1', [lost.id])
    const seen = await lost.db.from('locations').select('id')
    expect(seen.data).toEqual([])
    expect((await lost.db.rpc('service_list', { p_location: g.places.Norte ?? '' })).data).toBeNull()
    expect((await lost.db.rpc('guest_card', { p_customer: await guest('Norte') })).data).toBeNull()
  })

  it('are invited and made with a location only', async () => {
    const needs = {
      status: 400,
      body: { code: 'INVALID_INPUT', issues: [{ path: 'location_ids', code: 'name_yours' }] },
    }
    const invited = { email: 'sala@nueva.example', role: 'sala' }
    expect(await g.ask(boss, 'POST', '/api/team/invitations', invited)).toMatchObject(needs)
    const bound = { ...invited, location_ids: [g.places.Norte] }
    expect((await g.ask(boss, 'POST', '/api/team/invitations', bound)).status).toBe(201)
    const { id } = await g.group.person('operaciones')
    expect(await g.ask(boss, 'PATCH', `/api/team/${id}`, { role: 'sala' })).toMatchObject(needs)
    const both = { role: 'sala', location_ids: [g.places.Sur] }
    expect((await g.ask(boss, 'PATCH', `/api/team/${id}`, both)).status).toBe(200)
    expect(await g.ask(boss, 'PATCH', `/api/team/${id}`, { location_ids: [] })).toMatchObject(needs)
    const by = 'insert into public.invitations (organization_id, email, role) values ($1, $2, $3)'
    await expect(g.sql(by, [g.group.id, 'x@y.example', 'sala'])).rejects.toThrow('invitations_bound_check')
  })
})
