import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, testClient } from '../support/app'
import { type Guests, startGuests } from '../support/guests'

const DAY = '2031-06-10'
const NOTE = '"><img src=x onerror=alert(1)> 严重过敏 {{ x }}'

let g: Guests
let boss: Client
let floor: Client
let elsewhere: Client
/** A guest with two allergies, and the booking. */
let guest: string
let booking: string
beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  boss = await g.hire('admin')
  floor = await g.hire('sala', 'Norte')
  elsewhere = await g.hire('sala', 'Sur')
  const made = await g.ask(boss, 'POST', '/api/customers', { first_name: '王', last_name: '小明' })
  guest = made.body.data.id
  const facts = [{ code: 'peanut' }, { code: 'nuts', note: NOTE }, { code: 'window' }]
  expect((await g.ask(boss, 'PUT', `/api/customers/${guest}/facts`, { facts })).status).toBe(200)
  const body = {
    ...{ location_id: g.places.Norte, customer_id: guest, customer_name: '王小明', party_size: 2 },
    ...{ reservation_time: '21:00', reservation_date: DAY },
  }
  const answer = await g.ask(boss, 'POST', '/api/reservations', body)
  expect(answer).toMatchObject({ status: 201, body: { data: { allergies: ['nuts', 'peanut'] } } })
  booking = answer.body.data.id
})
afterAll(() => g?.app.close())

const data = async (client: Client, path: string) => {
  const { status, body } = await g.ask(client, 'GET', path)
  expect(status, path).toBe(200)
  return body.data
}

describe('whoever sees a booking sees the guest’s allergies', () => {
  it.each(['boss', 'floor'] as const)('%s, in lists, on the board and on the card', async (who) => {
    const client = who === 'boss' ? boss : floor
    const allergies = ['nuts', 'peanut']
    expect(await data(client, `/api/reservations?date=${DAY}`)).toMatchObject([{ id: booking, allergies }])
    expect(await data(client, `/api/reservations/${booking}`)).toMatchObject({ allergies })
    const service = await data(client, `/api/service?location_id=${g.places.Norte}&date=${DAY}`)
    expect(service.parties).toMatchObject([
      { id: booking, allergies, facts: [{ code: 'nuts', note: NOTE }, {}, {}] },
    ])
    expect(await data(client, `/api/service/guests/${guest}`)).toMatchObject({ allergies })
    const changed = await g.ask(client, 'PATCH', `/api/reservations/${booking}`, { notes: 'x' })
    expect(changed.body.data).toMatchObject({ notes: 'x', allergies })
  })

  it('floor staff elsewhere, and another group, learn nothing', async () => {
    expect((await g.ask(elsewhere, 'GET', `/api/service/guests/${guest}`)).status).toBe(404)
    expect(await data(elsewhere, `/api/reservations?date=${DAY}`)).toEqual([])
  })

  it('where the guest stands without a booking, too', async () => {
    expect(await data(boss, `/api/customers/${guest}`)).toMatchObject({ allergies: ['nuts', 'peanut'] })
    expect(await data(boss, `/api/customers?search=${encodeURIComponent('王')}`)).toMatchObject([
      { id: guest, allergies: ['nuts', 'peanut'] },
    ])
    const morning = await data(boss, `/api/morning?date=${DAY}`)
    expect(morning.guests).toMatchObject([{ customer_id: guest, allergies: ['nuts', 'peanut'] }])
  })

  it('a program for reservations alone, which may use no card', async () => {
    const token = await g.ask(boss, 'POST', '/api/tokens', {
      ...{ name: 'Caja', permissions: ['canAccessOperaciones'], location_ids: [], expires_in_days: 30 },
    })
    const headers = { authorization: `Bearer ${token.body.data.token}` }
    const machine: Client = {
      ...testClient(),
      request: (method, path, given) => testClient().request(method, path, { ...given, headers }),
    }
    const service = await data(machine, `/api/service?location_id=${g.places.Norte}&date=${DAY}`)
    expect(service.parties).toMatchObject([{ customer_id: null, facts: [], allergies: ['nuts', 'peanut'] }])
    expect(await data(machine, `/api/reservations?date=${DAY}`)).toMatchObject([
      { allergies: ['nuts', 'peanut'] },
    ])
  })

  it('the file of a day, in its language', async () => {
    const file = await boss.request('GET', `/api/reservations/export?date=${DAY}`)
    expect(await file.text()).toContain('frutos secos, cacahuete')
  })

  it('a booking without a guest, or of one without allergies, has none', async () => {
    const body = {
      ...{ location_id: g.places.Sur, customer_name: 'Nadie', party_size: 2 },
      ...{ reservation_time: '21:00', reservation_date: DAY },
    }
    expect((await g.ask(boss, 'POST', '/api/reservations', body)).body.data.allergies).toEqual([])
  })
})
