import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addDays } from '@/lib/dates'
import type { Party, Service } from '@/lib/service/schema'
import { stayInOneDay } from '../support/clock'
import {
  ANY_TIME,
  assign,
  book,
  DAY,
  g,
  host,
  join,
  norte,
  outcomes,
  parties,
  sala,
  seats,
  tap,
  withParties,
} from '../support/night-parties'

// Joining and separating parties is one tap: all that it concerns change, or nothing does.
stayInOneDay()
withParties()

describe('joining is one tap', () => {
  const bookings = async (...tables: string[][]) => {
    const names = ['Ana', 'Luis', 'Eva', 'Pau']
    const ids: string[] = []
    for (const [n, each] of tables.entries())
      ids.push(
        await book(names[n] as string, {
          tables: each,
          party_size: 2,
          confirm: [...ANY_TIME, 'table_taken'],
        }),
      )
    return ids as [string, string, string, string]
  }
  const ALL = ['S4', 'S5', 'S6']

  it.each([
    ['one to two', 0, 2],
    ['two to one', 2, 0],
    ['one to the second of two', 0, 1],
  ])('%s, at the tables of all', async (_, one, other) => {
    const ids = await bookings(['S4'], ['S5'], ['S6'])
    await join(ids[2], ids[1])
    expect(await outcomes(join(ids[one] as string, ids[other] as string, { tables: ALL }))).toEqual(['saved'])
    const all = await parties()
    expect(all.map(({ tables }) => tables)).toEqual([ALL, ALL, ALL])
    expect(new Set(all.map(({ id, joined_to }) => joined_to ?? id)).size).toBe(1)
  })

  it('two to two; undone, all have what they had', async () => {
    const ids = await bookings(['S4'], ['S4'], ['S5'], ['S6'])
    await join(ids[1], ids[0])
    await join(ids[3], ids[2])
    const [before, key] = [await seats(), randomUUID()]
    expect(await outcomes(join(ids[1], ids[3], { key, tables: ALL }))).toEqual(['saved'])
    expect((await seats()).map((each) => each.split(' ')[2])).toEqual(Array(4).fill('S4,S5,S6'))
    expect(await outcomes(tap({ action: 'undo', reservation_id: ids[1], undoes: key }))).toEqual(['saved'])
    expect(await seats()).toEqual(before)
  })

  it('when one of them is asked, nobody is joined or moved', async () => {
    const ids = await bookings(['S4'], ['S5'])
    await book('Noa', { tables: ['S6'] })
    const before = await seats()
    const asked = await join(ids[0], ids[1], { tables: ALL })
    expect(asked).toMatchObject({ outcome: 'table_taken', questions: ['TABLE_TAKEN'] })
    expect(asked.current).toMatchObject({ customer_name: 'Noa' })
    expect(await seats()).toEqual(before)
    const { body } = await g.ask(host, 'GET', `/api/reservations/${ids[0]}/activity`)
    expect(body.data.filter(({ action }: { action: string }) => action === 'reservation.changed')).toEqual([])
    expect(await outcomes(join(ids[0], ids[1], { tables: ALL, confirm: ['table_taken'] }))).toEqual(['saved'])
  })

  it('the first of three leaves, whose table is too small for the others: nobody is asked about fewer people', async () => {
    const ids = await bookings(['S4'], ['S4'], ['S4'])
    const confirm = ['table_too_small']
    for (const id of ids.slice(1)) expect(await outcomes(join(id, ids[0], { confirm }))).toEqual(['saved'])
    expect(await outcomes(join(ids[0], null, { tables: [] }))).toEqual(['saved'])
    const [ana, ...others] = (await seats()).map((each) => each.split(' '))
    expect(ana).toEqual(['Ana', '-', ''])
    expect(others.map(([, , table]) => table)).toEqual(['S4', 'S4'])
    expect(others.map(([, to]) => to).sort()).toEqual(['-', 'Eva'])
  })

  it('who leaves and keeps the table is in the way of the others there', async () => {
    const ids = await bookings(['S4'], ['S4'])
    await join(ids[1], ids[0])
    expect(await join(ids[1], null)).toMatchObject({
      outcome: 'table_taken',
      current: { customer_name: 'Ana' },
    })
    expect(await outcomes(join(ids[1], null, { tables: ['S4'] }))).toEqual(['table_taken'])
    expect(await outcomes(join(ids[1], null, { tables: ['S5'] }))).toEqual(['saved'])
  })

  it('is not undone once one of them has got another table, by hand or by another person', async () => {
    const ids = await bookings(['S4'], ['S5'])
    const key = randomUUID()
    await join(ids[0], ids[1], { key, tables: ['S4', 'S5'] })
    await assign(ids[1], ALL)
    const now = await seats()
    expect(await outcomes(tap({ action: 'undo', reservation_id: ids[0], undoes: key }))).toEqual(['conflict'])
    expect(await seats()).toEqual(now)
    await assign(ids[1], ['S4', 'S5'])
    expect(await outcomes(tap({ action: 'undo', reservation_id: ids[0], undoes: key }))).toEqual(['saved'])
  })

  it('undone after a third one came along, asks about who sits there now', async () => {
    const ids = await bookings(['S4'], ['S5'], [])
    const [key, confirm] = [randomUUID(), ['table_taken']]
    await join(ids[1], ids[0], { key, tables: ['S4', 'S5'] })
    expect(await outcomes(join(ids[2], ids[0], { tables: ['S4', 'S5'] }))).toEqual(['saved'])
    const undo = { action: 'undo', reservation_id: ids[1], undoes: key }
    expect(await tap(undo)).toMatchObject({ outcome: 'table_taken', current: { customer_name: 'Eva' } })
    expect(await seats()).toEqual(['Ana - S4,S5', 'Eva Ana S4,S5', 'Luis Ana S4,S5'])
    expect(await outcomes(tap({ ...undo, confirm }))).toEqual(['saved'])
    expect(await seats()).toEqual(['Ana - S4', 'Eva Ana S4,S5', 'Luis - S5'])
  })

  it('asks each of them its own, and takes the yes of both', async () => {
    // Ana stays until 23:30, and Noa is due at S5; with Luis they are nine for eight seats.
    const confirm = [...ANY_TIME, 'table_too_small']
    const ana = await book('Ana', { tables: ['S4'], party_size: 5, confirm })
    const pau = await book('Pau', { tables: ['S5'], party_size: 2 })
    await join(await book('Luis', { party_size: 2 }), pau)
    await book('Noa', { tables: ['S5'], party_size: 2, reservation_time: '23:15' })
    const ask = (...yes: string[]) => join(ana, pau, { tables: ['S4', 'S5'], confirm: yes })
    expect(await ask()).toMatchObject({ outcome: 'table_taken', questions: ['TABLE_TAKEN'] })
    expect(await ask('table_taken')).toMatchObject({ questions: ['TABLE_TOO_SMALL'] })
    expect(await ask('table_taken', 'table_too_small')).toMatchObject({ outcome: 'saved' })
  })

  it('a clash that was there before the join is not asked about again', async () => {
    const ids = await bookings(['S4'], ['S4'], ['S4'])
    expect(await outcomes(join(ids[0], ids[1]))).toEqual(['saved'])
    expect((await seats())[0]).toBe('Ana Luis S4')
  })

  it('companions whom the PMS moved to another night stay together there', async () => {
    const ids = await bookings(['S4'], ['S4'], ['S4'], ['S5'])
    const confirm = ['table_too_small']
    for (const id of ids.slice(1, 3)) expect(await outcomes(join(id, ids[0], { confirm }))).toEqual(['saved'])
    for (const id of ids.slice(1, 3)) {
      const moved = { reservation_date: addDays(DAY, 1), confirm: [...ANY_TIME, ...confirm, 'table_taken'] }
      expect(await g.ask(host, 'PATCH', `/api/reservations/${id}`, moved)).toMatchObject({ status: 200 })
    }
    expect(await outcomes(join(ids[0], ids[3], { tables: ['S4', 'S5'] }))).toEqual(['saved'])
    const path = `/api/service?location_id=${norte}&date=${addDays(DAY, 1)}`
    const { parties: there } = (await g.ask(sala, 'GET', path)).body.data as Service
    const links = there.map(({ id, joined_to }) => joined_to ?? id)
    expect(links).toHaveLength(2)
    expect(new Set(links).size).toBe(1)
    expect(links).not.toContain(ids[0])
  })

  it('keeps the PMS’s spelling of the tables, also when they are named as one', async () => {
    const row = { status: 'confirmed', date: DAY, time: '21:00', pax: 4 }
    await g.sync([{ ...row, id: '1', client_name: 'Ana Ruiz', table_name: 'S4 + S5' }])
    const { id } = (await parties())[0] as Party
    const marks = async () => (await g.sql('select staff_marks, table_name from public.reservations'))[0]
    await tap({ action: 'assign', reservation_id: id, table_name: 'S6' })
    expect(await marks()).toMatchObject({ staff_marks: { table_name: 'S4 + S5' }, table_name: 'S6' })
    await tap({ action: 'assign', reservation_id: id, table_name: 'S4+S5' })
    expect(await marks()).toEqual({ staff_marks: {}, table_name: 'S4 + S5' })
  })
})
