import { describe, expect, it } from 'vitest'
import { addDays } from '@/lib/dates'
import { stayInOneDay } from '../support/clock'
import {
  ANY_TIME,
  assign,
  DAY,
  g,
  host,
  join,
  norte,
  outcomes,
  parties,
  party,
  tap,
  withParties,
} from '../support/night-parties'

// One of two parties that sit together does not come: nobody else's covers, tables or seats go with it.
stayInOneDay()
withParties()

/** What the PMS says of two bookings of tonight, and their ids once they sit together at both tables. */
const pms = (id: string, client_name: string, more: object = {}) => ({
  ...{ id, client_name, status: 'confirmed', date: DAY, time: '21:00', pax: 4 },
  ...more,
})
async function pair(): Promise<[object, object, string, string]> {
  const rows = [
    pms('1', 'Ana Ruiz', { table_name: 'S4', client_phone: '600111221' }),
    pms('2', 'Luis Gil', { table_name: 'S5', client_phone: '600111222' }),
  ] as const
  await g.sync([...rows])
  const idOf = async (name: string) => (await parties()).find((each) => each.name === name)?.id as string
  const [ana, luis] = [await idOf('Ana Ruiz'), await idOf('Luis Gil')]
  expect(await outcomes(join(luis, ana, { tables: ['S4', 'S5'] }))).toEqual(['saved'])
  expect(await outcomes(assign(ana, ['S4', 'S5']))).toEqual(['saved'])
  return [...rows, ana, luis]
}
/** Covers of tonight that come, as the board counts them. */
const covers = async () =>
  (await parties())
    .filter(({ status }) => !['cancelled', 'no_show'].includes(status))
    .reduce((sum, { party_size }) => sum + party_size, 0)

describe('when one of two does not come', () => {
  it.each([
    ['the PMS cancels the first', 0, 'cancelled'],
    ['the PMS cancels the second', 1, 'cancelled'],
    ['the PMS has the first as a no-show', 0, 'no_show'],
    ['the PMS has the second as a no-show', 1, 'no_show'],
  ])('and %s, the other keeps its covers and both tables, and has room', async (_, gone, status) => {
    const [one, other, ...ids] = await pair()
    const rows = [one, other].map((row, n) => (n === gone ? { ...row, status } : row))
    await g.sync(rows as Record<string, unknown>[])
    expect(await covers()).toBe(4)
    const left = ids[1 - gone] as string
    expect(await party(left)).toMatchObject({ party_size: 4, tables: ['S4', 'S5'], status: 'confirmed' })
    // Eight seats: the four who do not come take none of them.
    const grows = { action: 'change', reservation_id: left, party_size: 8 }
    expect(await outcomes(tap(grows))).toEqual(['saved'])
    // And who comes after all is asked about them.
    const back = { action: 'set_back', reservation_id: ids[gone], to: 'expected' }
    expect(await outcomes(tap(back))).toEqual(['table_too_small'])
    expect(await outcomes(tap({ ...back, confirm: ['table_too_small'] }))).toEqual(['saved'])
    expect(await covers()).toBe(12)
  })

  it.each([
    ['first', 0],
    ['second', 1],
  ])('and the PMS moves the %s to another night, it sits there with nobody', async (_, gone) => {
    const [one, other, ...ids] = await pair()
    const rows = [one, other].map((row, n) => (n === gone ? { ...row, date: addDays(DAY, 1) } : row))
    await g.sync(rows as Record<string, unknown>[])
    const [moved, left] = [ids[gone] as string, ids[1 - gone] as string]
    expect(await covers()).toBe(4)
    expect(await outcomes(tap({ action: 'change', reservation_id: left, party_size: 8 }))).toEqual(['saved'])
    // There its table is its own: who wants one of them is asked, also who sits with the other tonight.
    const tomorrow = { reservation_date: addDays(DAY, 1), customer_name: 'Eva Sanz', party_size: 2 }
    const asked = await g.ask(host, 'POST', '/api/reservations', {
      ...{ location_id: norte, reservation_time: '21:00', tables: ['S5'], confirm: ANY_TIME, ...tomorrow },
      status: 'confirmed',
    })
    expect(asked).toMatchObject({ status: 409, body: { code: 'TABLE_TAKEN' } })
    // Back on this night it sits with the other again: together they are twelve for eight seats.
    await g.sync([one, other] as Record<string, unknown>[])
    expect(await party(moved)).toMatchObject({ status: 'confirmed', party_size: 4 })
    expect(await outcomes(tap({ action: 'seat', reservation_id: left }))).toEqual(['table_too_small'])
    expect(await covers()).toBe(12)
  })

  it('and the PMS forgets it, the other one stays, with its covers', async () => {
    const [one, , ana] = await pair()
    const missing = async (now: string) =>
      g.sql('select public.take_out_missing($1, $2, $3, $4, $5, 10, $6)', [
        ...[norte, now, DAY, addDays(DAY, 1), ['1'], 'requests'],
      ])
    await g.sync([one as Record<string, unknown>])
    const now = Date.now()
    await missing(new Date(now).toISOString())
    await missing(new Date(now + 11 * 60_000).toISOString())
    expect((await parties()).map(({ name, status }) => [name, status]).sort()).toEqual([
      ['Ana Ruiz', 'confirmed'],
      ['Luis Gil', 'cancelled'],
    ])
    expect(await covers()).toBe(4)
    expect(await outcomes(tap({ action: 'seat', reservation_id: ana }))).toEqual(['saved'])
  })

  it('and the other one sits with a third meanwhile, it comes back alone: together is for both or for none', async () => {
    const [, , ana, luis] = await pair()
    await tap({ action: 'cancel', reservation_id: luis })
    await g.sync([pms('3', 'Eva Sanz', { pax: 2 })])
    const eva = (await parties()).find(({ name }) => name === 'Eva Sanz')?.id as string
    expect(await outcomes(join(ana, eva))).toEqual(['saved'])
    const back = { action: 'set_back', reservation_id: luis, to: 'expected' }
    expect(await outcomes(tap(back))).toEqual(['table_taken'])
    expect(await outcomes(tap({ ...back, confirm: ['table_taken'] }))).toEqual(['saved'])
    expect(await outcomes(tap({ action: 'change', reservation_id: luis, party_size: 8 }))).toEqual([
      'table_taken',
    ])
  })

  it('and the other one sits apart or with others meanwhile, nobody finds themselves with somebody unasked', async () => {
    const [, , ana, luis] = await pair()
    await tap({ action: 'cancel', reservation_id: luis })
    await g.sync([pms('3', 'Eva Sanz', { pax: 2 })])
    const eva = (await parties()).find(({ name }) => name === 'Eva Sanz')?.id as string
    expect(await outcomes(join(ana, eva))).toEqual(['saved'])
    await tap({ action: 'set_back', reservation_id: luis, to: 'expected', confirm: ['table_taken'] })
    await g.sync([pms('4', 'Pau Mir', { pax: 2 })])
    const pau = (await parties()).find(({ name }) => name === 'Pau Mir')?.id as string
    expect(await outcomes(join(pau, luis, { confirm: ['table_too_small'] }))).toEqual(['saved'])
    expect((await party(pau)).joined_to).toBe(luis)
    // On her own at these tables she would be in their way.
    expect(await outcomes(join(ana, null))).toEqual(['table_taken'])
    expect(await outcomes(join(ana, null, { tables: [] }))).toEqual(['saved'])
    expect((await party(luis)).joined_to).toBeNull()
  })

  it('and its guest is erased, the other one keeps everything, and nothing of the guest is left', async () => {
    const [, , ana, luis] = await pair()
    const boss = await g.hire('admin')
    const before = await party(luis)
    const { customer_id } = await party(ana)
    expect(await g.ask(boss, 'DELETE', `/api/customers/${customer_id}`)).toMatchObject({ status: 204 })
    const list = await parties()
    expect(JSON.stringify(list)).not.toMatch(/Ana|Ruiz|600111221/)
    expect(list.find(({ id }) => id === luis)).toEqual(before)
    expect(await covers()).toBe(8)
    for (const id of [ana, luis])
      expect(await outcomes(tap({ action: 'seat', reservation_id: id }))).toEqual(['saved'])
  })
})
