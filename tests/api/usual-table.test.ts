import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDays } from '@/lib/dates'
import { currentServiceDay } from '@/lib/reservations/service-day'
import type { Service } from '@/lib/service/schema'
import { type Client, testClient } from '../support/app'
import { stayInOneDay } from '../support/clock'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

stayInOneDay()
let g: Guests
let host: Client
let ana: string
const today = currentServiceDay('Europe/Madrid')
beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte', averageSpend: 20 },
    { name: 'Sur', slug: 'sur', averageSpend: 20 },
  ])
  host = await g.hire('operaciones')
})
afterAll(() => g?.app.close())
beforeEach(async () => {
  await g.sql(emptyTables('customers', 'reservations'))
  const [made] = await g.sql<{ id: string }>(
    `insert into public.customers (organization_id, first_name) values ($1, 'Ana') returning id::text`,
    [g.group.id],
  )
  ana = made?.id ?? ''
})

/** A booking of Ana so many days ago; one of today or later is expected. */
const comes = (ago: number, table: string | null, { place = 'Norte', status = '', over = ago > 0 } = {}) =>
  g.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, customer_name, reservation_date,
       reservation_time, party_size, status, table_name, service_over)
     values ($1, $2, $3, 'Ana', $4, '21:00', 2, $5, $6, $7)`,
    [
      ...[g.group.id, g.places[place], ana, addDays(today, -ago)],
      ...[status || (ago > 0 ? 'completed' : 'confirmed'), table, over],
    ],
  )
/** Visits, a day apart, at these tables; the last one was yesterday. */
const sat = async (...tables: (string | null)[]) => {
  for (const [at, table] of tables.entries()) await comes(tables.length - at, table)
}
const usual = async (client = host, date = today) => {
  const path = `/api/service?location_id=${g.places.Norte}&date=${date}`
  const { parties } = (await g.ask(client, 'GET', path)).body.data as Service
  return parties.map(({ usual_table }) => usual_table)
}

describe('the usual table of an expected party', () => {
  it('is where its guest has sat most, from the second time on', async () => {
    await comes(0, null)
    await sat('S4')
    expect(await usual()).toEqual([null])
    await comes(9, ' S4 ')
    await comes(10, 'T1')
    expect(await usual()).toEqual(['S4'])
  })

  it('is the latest of several, and none where the guest sits at another one each time', async () => {
    await comes(0, null)
    await sat('S1', 'S1', 'S2', 'S2')
    expect(await usual()).toEqual(['S2'])
    await g.sql('delete from public.reservations where service_over')
    await sat('S1', 'S1', ...['A', 'B', 'C', 'D', 'E', 'F'], null, null)
    expect(await usual()).toEqual(['S1'])
    await comes(20, 'G')
    expect(await usual()).toEqual([null])
  })

  it('counts visits of two years at this location, and no booking without one', async () => {
    await comes(0, null)
    await comes(5, 'S4', { place: 'Sur' })
    await comes(6, 'S4', { place: 'Sur' })
    await comes(7, 'S5', { status: 'no_show' })
    await comes(8, 'S5', { status: 'cancelled' })
    await comes(740, 'S6')
    await comes(741, 'S6')
    expect(await usual()).toEqual([null])
    await comes(700, 'S7')
    await comes(701, 'S7')
    expect(await usual()).toEqual(['S7'])
  })

  it('is for who is still expected, today or later', async () => {
    await sat('S4', 'S4')
    await comes(0, 'S9')
    await comes(-3, null)
    expect([await usual(), await usual(host, addDays(today, 3))]).toEqual([['S4'], ['S4']])
    expect(await usual(host, addDays(today, -1))).toEqual([null])
    await g.sql(`update public.reservations set status = 'seated' where service_date = $1`, [today])
    expect(await usual()).toEqual([null])
  })

  it('is known to the floor, whose cards name it, and of no guest that a caller may not see', async () => {
    await sat('S4', 'S4')
    await comes(0, null)
    expect(await usual(await g.hire('sala', 'Norte'))).toEqual(['S4'])
    const body = {
      name: 'Caja',
      permissions: ['canAccessOperaciones'],
      location_ids: [],
      expires_in_days: 30,
    }
    const made = await g.ask(await g.hire('admin'), 'POST', '/api/tokens', body)
    const headers = { authorization: `Bearer ${made.body.data.token}` }
    const machine: Client = {
      ...testClient(),
      request: (method, path, given) => testClient().request(method, path, { ...given, headers }),
    }
    expect(await usual(machine)).toEqual([null])
    await g.sql('update public.reservations set customer_id = null where service_date = $1', [today])
    expect(await usual()).toEqual([null])
  })
})
