import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { currentServiceDay } from '@/lib/reservations/service-day'
import type { Party, Service, TapAnswer } from '@/lib/service/schema'
import type { Client } from '../support/app'
import { stayInOneDay } from '../support/clock'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'

stayInOneDay()
let g: Guests
let host: Client
let norte: string
beforeAll(async () => {
  g = await startGuests([{ name: 'Norte', slug: 'norte' }])
  host = await g.hire('sala', 'Norte')
  norte = g.group.locations[0]?.id ?? ''
})
afterAll(() => g?.app.close())
beforeEach(() => g.sql(emptyTables('reservations', 'private.service_taps', 'audit_log', 'dining_tables')))

const DAY = currentServiceDay('Europe/Madrid')
const ROW = { id: '1', status: 'confirmed', date: DAY, time: '21:00', pax: 4, client_name: 'Ana Ruiz' }
/** The booking as the PMS sends it. */
const comes = async (row: object = {}) => {
  await g.sync([{ ...ROW, ...row }])
  return only()
}
const only = async () => {
  const { body } = await g.ask(host, 'GET', `/api/service?location_id=${norte}`)
  return (body.data as Service).parties[0] as Party
}
const tap = async (...taps: object[]): Promise<TapAnswer[]> => {
  const keyed = taps.map((each) => ({ key: randomUUID(), ...each }))
  const { status, body } = await g.ask(host, 'POST', '/api/service/taps', { location_id: norte, taps: keyed })
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.data
}
const change = async (fields: object, id?: string) => {
  const [answer] = await tap({ action: 'change', reservation_id: id ?? (await only()).id, ...fields })
  return answer
}

describe('a tap that changes a reservation of the PMS', () => {
  it('marks size, time, note and how late it comes, until the PMS says something new', async () => {
    expect(await comes()).toMatchObject({ from_pms: true, late_minutes: null })
    await change({ party_size: 6, time: '21:30', notes: 'Con carrito' })
    await change({ late_minutes: 20 })
    const marked = { party_size: 6, time: '21:30', notes: 'Con carrito', late_minutes: 20 }
    expect(await only()).toMatchObject(marked)
    // The same answer again, and one that changes something else.
    expect(await comes()).toMatchObject(marked)
    expect(await comes({ client_name: 'Ana Ruiz Gil' })).toMatchObject({ ...marked, name: 'Ana Ruiz Gil' })
    expect(await comes({ pax: 5 })).toMatchObject({ ...marked, party_size: 5 })
    expect(await comes({ pax: 5, time: '22:00' })).toMatchObject({
      ...{ party_size: 5, time: '22:00', notes: 'Con carrito', late_minutes: null },
    })
    expect(await comes()).toMatchObject({ party_size: 4, time: '21:00' })
    const [row] = await g.sql<{ staff_marks: object }>('select staff_marks from public.reservations')
    expect(row?.staff_marks).toEqual({ notes: null })
    const { body } = await g.ask(host, 'GET', `/api/reservations/${(await only()).id}/activity`)
    const overruled = body.data.filter(({ action }: { action: string }) => action.endsWith('overruled'))
    expect(overruled.map(({ fields }: { fields: string[] }) => fields)).toEqual([
      ['reservation_time'],
      ['party_size'],
    ])
  })

  it('keeps the night when it moves the time past midnight, and back', async () => {
    await comes({ time: '23:45' })
    expect(await change({ time: '00:45' })).toMatchObject({ outcome: 'saved' })
    const day = 'select reservation_date::text as date, service_date::text as night from public.reservations'
    const after = new Date(Date.parse(DAY) + 86_400_000).toISOString().slice(0, 10)
    expect(await g.sql(day)).toEqual([{ date: after, night: DAY }])
    expect(await comes({ time: '23:45' })).toMatchObject({ time: '00:45' })
    await change({ time: '23:45' })
    expect(await g.sql(`${day.replace(' as night', ' as night, staff_marks')}`)).toEqual([
      { date: DAY, night: DAY, staff_marks: {} },
    ])
  })

  it('is undone alone: what came after it stays', async () => {
    const { id } = await comes({ note: 'Ventana' })
    const before = await only()
    const key = randomUUID()
    await tap({
      key,
      action: 'change',
      reservation_id: id,
      party_size: 6,
      notes: 'Terraza',
      late_minutes: 15,
    })
    await tap({ action: 'seat', reservation_id: id, table_name: '12' })
    const [undone] = await tap({ action: 'undo', reservation_id: id, undoes: key })
    expect(undone?.outcome).toBe('saved')
    const { party_size, notes, late_minutes } = before
    expect(await only()).toMatchObject({
      ...{ party_size, notes, late_minutes, status: 'seated', table_name: '12' },
    })
  })

  it('is not undone over another change of the same field', async () => {
    const { id } = await comes()
    const key = randomUUID()
    await tap({ key, action: 'change', reservation_id: id, party_size: 6 })
    await change({ party_size: 7 })
    const [undone] = await tap({ action: 'undo', reservation_id: id, undoes: key })
    expect(undone?.outcome).toBe('conflict')
    expect(await only()).toMatchObject({ party_size: 7 })
  })

  it('overwrites no note that another person wrote meanwhile', async () => {
    const { notes } = await comes()
    expect(await change({ notes: 'Con carrito', was: notes })).toMatchObject({ outcome: 'saved' })
    expect(await change({ notes: 'Trona', was: notes })).toMatchObject({ outcome: 'conflict' })
    expect(await change({ notes: 'Con carrito y trona', was: 'Con carrito' })).toMatchObject({
      outcome: 'saved',
    })
    expect(await only()).toMatchObject({ notes: 'Con carrito y trona' })
  })

  it('asks first when the table is too small for the new size', async () => {
    await comes()
    await g.sql(
      `insert into public.dining_tables (organization_id, location_id, name, capacity)
       select organization_id, id, '12', 4 from public.locations`,
    )
    await tap({ action: 'assign', reservation_id: (await only()).id, table_name: '12' })
    const asked = await change({ party_size: 5 })
    expect(asked).toMatchObject({ outcome: 'table_too_small', questions: ['TABLE_TOO_SMALL'] })
    expect(await only()).toMatchObject({ party_size: 4 })
    const sure = await change({ party_size: 5, confirm: ['table_too_small'] })
    expect(sure).toMatchObject({ outcome: 'saved' })
    expect(await only()).toMatchObject({ party_size: 5 })
  })

  it('leaves the PATCH of the API as it was: size and time belong to the PMS', async () => {
    const { id } = await comes()
    for (const body of [{ party_size: 6 }, { reservation_time: '22:00' }, { by_tap: true, party_size: 6 }])
      expect((await g.ask(host, 'PATCH', `/api/reservations/${id}`, body)).status).toBe(
        'by_tap' in body ? 400 : 409,
      )
  })

  it.each([
    { party_size: 0 },
    { party_size: 501 },
    { time: '24:00' },
    { late_minutes: 0 },
    { late_minutes: 241 },
    { notes: 'x'.repeat(5001) },
    { total_amount: 1 },
  ])('takes nothing malformed: %j', async (fields) => {
    const { id } = await comes()
    const taps = [{ key: randomUUID(), action: 'change', reservation_id: id, ...fields }]
    const { status } = await g.ask(host, 'POST', '/api/service/taps', { location_id: norte, taps })
    expect(status).toBe(400)
  })
})

it('a longest note is kept by its tap and comes back with undo', async () => {
  const { id } = await comes({ note: '𝓐'.repeat(2000) })
  const { notes } = await only()
  const key = randomUUID()
  await tap({ key, action: 'change', reservation_id: id, notes: 'ñ'.repeat(5000) })
  await tap({ action: 'undo', reservation_id: id, undoes: key })
  expect((await only()).notes).toBe(notes)
})
