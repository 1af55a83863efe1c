import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAutomation, DECLARED, noQuietHours } from '../factories/messaging'
import { type Client, startApp, type TestApp } from '../support/app'
import { stopClock } from '../support/clock'
import { emptyTables } from '../support/empty-tables'
import { type PmsBook, startPmsBook } from '../support/pms-book'
import { answer, signedIn } from '../support/sign-in'

stopClock()
let app: TestApp
let place: PmsBook
let boss: Client

beforeAll(async () => {
  app = await startApp()
  place = await startPmsBook(app, ['Alfa', 'Bravo'])
  await noQuietHours(app.stack)
  boss = await signedIn(await place.group.person('admin'))
})
beforeEach(async () => {
  await place.begin()
  await app.stack.sql(emptyTables('automations', 'messages', 'audit_log'))
})
afterAll(async () => {
  await place?.pms.close()
  await app?.close()
})

const syncAt: PmsBook['syncAt'] = (...at) => place.syncAt(...at)
const alfa = () => place.book.alfa ?? expect.fail('no Alfa')
/** Books these at Alfa, today unless told otherwise. */
function book(ids: string[], booking = {}) {
  for (const id of ids) alfa().set(id, { ...booking })
}

interface Stored {
  id: string
  status: string
  pms_status: string
  visited: boolean | null
  reservation_date: string
}
async function stored(id = 'ana'): Promise<Stored> {
  const [row] = await app.stack.sql<{ id: string }>(
    'select id::text from public.reservations where external_id = $1',
    [id],
  )
  return (await answer(await boss.request('GET', `/api/reservations/${row?.id}`))).body.data
}
const statuses = () => place.statuses()
const missing = () => place.missing()
const get = async (path: string) => (await answer(await boss.request('GET', path))).body.data
async function mark(id: string, body: object) {
  const path = `/api/reservations/${(await stored(id)).id}`
  expect((await boss.request('PATCH', path, { body })).status).toBe(200)
}

describe('a booking that was deleted in the PMS', () => {
  it('is cancelled as missing by the second complete answer without it, ten minutes after the first', async () => {
    book(['ana', 'luis'])
    expect(await syncAt(0)).toMatchObject({ created: 2, updated: 0, errors: [] })
    alfa().delete('ana')
    // One answer alone is no proof, nor are two that come shortly after each other.
    for (const minutes of [15, 20, 24]) {
      expect(await syncAt(minutes)).toMatchObject({ created: 0, updated: 0, errors: [] })
      expect(await stored()).toMatchObject({ status: 'confirmed', pms_status: '1' })
      expect((await place.lastRun()).missing).toEqual({ Alfa: [], Bravo: [] })
    }
    expect(await syncAt(25)).toMatchObject({ synced: 1, created: 0, updated: 0, errors: [] })
    expect(await stored()).toMatchObject({ status: 'cancelled', pms_status: 'missing' })
    expect(await place.lastRun()).toEqual({
      status: 'succeeded',
      issues: [],
      missing: { Alfa: ['ana'], Bravo: [] },
    })
    expect(await statuses()).toEqual({ ana: 'cancelled', luis: 'confirmed' })
    // From then on nothing happens to it, and nothing is counted.
    const before = await app.stack.sql('select id, xmin::text from public.reservations order by id')
    expect(await syncAt(40)).toMatchObject({ created: 0, updated: 0, errors: [] })
    expect((await place.lastRun()).missing).toEqual({ Alfa: [], Bravo: [] })
    expect(await app.stack.sql('select id, xmin::text from public.reservations order by id')).toEqual(before)
  })

  it('is no visit any more: no visits, spend or points, and no message after it', async () => {
    book(['ana', 'luis'], { day: -2 })
    await syncAt(0)
    const guests = async () =>
      (await get('/api/customers')).map((guest: Record<string, unknown>) => [
        guest.first_name,
        guest.total_visits,
        guest.total_spend,
        guest.points,
      ])
    await app.stack.sql('update public.customers set consents = $1', [JSON.stringify(DECLARED)])
    const came = (rows: unknown[]) => rows.toSorted((one, other) => String(one).localeCompare(String(other)))
    expect(came(await guests())).toEqual([
      ['ana', 1, 60, 60],
      ['luis', 1, 60, 60],
    ])
    const ana = alfa().get('ana') ?? {}
    alfa().delete('ana')
    await syncAt(15)
    await syncAt(30)
    expect(await stored()).toMatchObject({ status: 'cancelled', visited: false })
    expect(came(await guests())).toEqual([
      ['ana', 0, 0, 0],
      ['luis', 1, 60, 60],
    ])
    const { totals } = await get(`/api/stats/overview?from=${place.day(-2)}&to=${place.day(-2)}`)
    expect(totals).toMatchObject({ visits: 1, cancelled: 1, revenue: 60 })
    await createAutomation(app.stack, place.group.id, { type: 'post_visit' })
    const headers = { authorization: `Bearer ${app.cronSecret}` }
    await app.client().request('GET', '/api/cron/automations', { headers })
    const messages = await app.stack.sql('select recipient from public.messages order by 1')
    expect(messages).toEqual([{ recipient: 'luis@correo.example' }])
    // There again, it is a visit again, with its points.
    alfa().set('ana', ana)
    expect(await syncAt(45)).toMatchObject({ created: 0, updated: 1 })
    expect(await stored()).toMatchObject({ status: 'confirmed', visited: true })
    expect(came(await guests())).toEqual([
      ['ana', 1, 60, 60],
      ['luis', 1, 60, 60],
    ])
  })
})

describe('a booking that the PMS never had', () => {
  it('stays: by hand, or of an import', async () => {
    book(['ana', 'luis'])
    await syncAt(0)
    await app.stack.sql(
      `insert into public.reservations (organization_id, location_id, customer_name, external_id, reservation_date,
         reservation_time, party_size, status, source)
       select organization_id, locations.id, given.name, given.id, $1::date, '21:00', 2, 'confirmed', given.source
       from public.locations cross join (values ('Hand', null, 'manual'), ('File', 'file-1', 'import'))
         as given (name, id, source)
       where locations.name = 'Alfa'`,
      [place.day(0)],
    )
    alfa().delete('ana')
    await syncAt(15)
    await syncAt(30)
    const rows = await app.stack.sql<{ line: string }>(
      `select concat_ws(' ', customer_name, status) as line from public.reservations`,
    )
    expect(rows.map(({ line }) => line).sort()).toEqual([
      'File confirmed',
      'Hand confirmed',
      'ana cancelled',
      'luis confirmed',
    ])
    expect((await place.lastRun()).missing).toMatchObject({ Alfa: ['ana'] })
  })
})

describe('a booking that is missing', () => {
  async function loses(id: string, from = 15) {
    alfa().delete(id)
    await syncAt(from)
    await syncAt(from + 10)
    expect(await stored(id)).toMatchObject({ status: 'cancelled', pms_status: 'missing' })
  }

  it.each([
    [1, 'confirmed'],
    [0, 'pending'],
    [2, 'seated'],
    [-3, 'no_show'],
    // A status that we do not know.
    [77, 'pending'],
  ])('revives when it comes again, with the status of the PMS: %s is %s', async (state, status) => {
    book(['ana', 'luis'])
    await syncAt(0)
    await loses('ana')
    book(['ana'], { state })
    expect(await syncAt(40)).toMatchObject({ created: 0, updated: 1 })
    expect(await stored()).toMatchObject({ status, pms_status: String(state) })
    expect(await syncAt(55)).toMatchObject({ created: 0, updated: 0 })
    expect(await app.stack.sql('select * from private.missing_bookings')).toEqual([])
  })

  it('says so itself once what was noted is deleted', async () => {
    book(['ana', 'luis'])
    await syncAt(0)
    await loses('ana')
    await app.stack.sql('delete from private.missing_bookings')
    // A status that we do not know does not keep it cancelled.
    book(['ana'], { state: 77 })
    await syncAt(40)
    expect(await stored()).toMatchObject({ status: 'pending', pms_status: '77' })
  })

  it('because it moved beyond the window comes back with the look ahead', async () => {
    book(['ana', 'luis'])
    await syncAt(0)
    book(['ana'], { day: 45 })
    await syncAt(15)
    await syncAt(25)
    expect(await stored()).toMatchObject({ status: 'cancelled', pms_status: 'missing' })
    await syncAt(25, 'cron')
    expect(await stored()).toMatchObject({
      status: 'confirmed',
      pms_status: '1',
      reservation_date: place.day(45),
    })
    // Beyond the days ahead as well it stays missing until it comes.
    book(['luis'], { day: 75 })
    book(['eva'])
    for (const minutes of [40, 50]) {
      await place.fourHoursLater()
      await syncAt(minutes, 'cron')
    }
    expect(await stored('luis')).toMatchObject({ status: 'cancelled', pms_status: 'missing' })
    expect(await stored()).toMatchObject({ status: 'confirmed' })
  })

  it('is found by the look ahead too, by its own answers', async () => {
    book(['luis'])
    book(['ana', 'eva'], { day: 40 })
    await syncAt(0, 'cron')
    alfa().delete('ana')
    // The usual days do not speak of it.
    for (const minutes of [15, 30]) await syncAt(minutes, 'cron')
    expect(await app.stack.sql('select * from private.missing_bookings')).toEqual([])
    for (const minutes of [45, 60]) {
      expect(await missing()).toEqual([])
      await place.fourHoursLater()
      await syncAt(minutes, 'cron')
    }
    expect(await missing()).toEqual(['ana'])
    expect(await place.lastRun()).toMatchObject({ status: 'succeeded', missing: { Alfa: ['ana'] } })
  })

  it.each([
    ['their mark', { status: 'pending' }],
    ['that it has arrived', null],
  ])('stays as staff left it: %s', async (_, body) => {
    book(['ana', 'luis'])
    await syncAt(0)
    if (body) await mark('ana', body)
    else await app.stack.sql(`update public.reservations set arrived_at = now() where external_id = 'ana'`)
    const { status } = await stored()
    alfa().delete('ana')
    await syncAt(15)
    await syncAt(30)
    expect(await stored()).toMatchObject({ status, pms_status: '1' })
  })

  it('goes with the table and the notes that staff gave it, which stay', async () => {
    book(['ana', 'luis'])
    await syncAt(0)
    await mark('ana', { table_name: '12', notes: 'Ventana' })
    await loses('ana')
    expect(await stored()).toMatchObject({ status: 'cancelled', table_name: '12', notes: 'Ventana' })
  })

  it('goes though its guest said yes, and revives', async () => {
    book(['ana', 'luis'], { state: 0 })
    await syncAt(0)
    await app.stack.sql(
      `update public.reservations set status = 'confirmed', staff_marks = '{"status": "pending"}',
         guest_answer = 'confirmed', guest_answered_at = now() where external_id = 'ana'`,
    )
    await loses('ana')
    book(['ana'], { state: 0 })
    await syncAt(40)
    expect(await stored()).toMatchObject({ status: 'pending', pms_status: '0' })
  })

  it('that staff confirm by hand stays so until the PMS sends it', async () => {
    book(['ana', 'luis'])
    await syncAt(0)
    await loses('ana')
    await mark('ana', { status: 'confirmed' })
    await syncAt(40)
    await syncAt(55)
    expect(await stored()).toMatchObject({ status: 'confirmed', pms_status: 'missing' })
    book(['ana'], { state: -2 })
    await syncAt(70)
    expect(await stored()).toMatchObject({ status: 'confirmed', pms_status: '-2' })
    book(['ana'], { state: 2 })
    await syncAt(85)
    expect(await stored()).toMatchObject({ status: 'seated', pms_status: '2' })
  })

  it('is one that would still come: those that sat, finished, or did not come stay', async () => {
    book(['luis'])
    const others = { sat: 2, ended: 'finished', left: -2, away: -3 }
    for (const [id, state] of Object.entries(others)) book([id], { state })
    await syncAt(0)
    const before = await statuses()
    for (const id of Object.keys(others)) alfa().delete(id)
    await syncAt(15)
    await syncAt(30)
    expect(await statuses()).toEqual(before)
  })
})
