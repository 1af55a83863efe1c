import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectPms, createGroup } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { stopClock } from '../support/clock'
import { type Booking, type PmsBook, startPmsBook } from '../support/pms-book'
import { answer, signedIn } from '../support/sign-in'

stopClock()
let app: TestApp
let place: PmsBook

beforeAll(async () => {
  app = await startApp({ PMS_MISSING_MINUTES: '20' })
  place = await startPmsBook(app, ['Alfa', 'Bravo', 'Charlie'])
})
beforeEach(async () => {
  await place.begin()
  // Another id and back, so that nothing of another test's answers is kept.
  await app.stack.sql(`update public.locations set is_active = true, pms_id = 'other'`)
  await app.stack.sql('update public.locations set pms_id = lower(name)')
})
afterAll(async () => {
  await place?.pms.close()
  await app?.close()
})

const syncAt: PmsBook['syncAt'] = (...at) => place.syncAt(...at)
/** As if what the sync has said had been said the day before. */
const nextDay = () => app.stack.sql('update private.told_issues set day = day - 1')
const book = (slug: string, id: string, booking: Booking = {}) => place.book[slug]?.set(id, booking)
/** Who has each booking, and how it is: `7 Alfa confirmed`. */
const held = async () =>
  (
    await app.stack.sql<{ line: string }>(
      `select concat_ws(' ', r.external_id, l.name, r.customer_name, r.status) as line
       from public.reservations r join public.locations l on l.id = r.location_id order by 1`,
    )
  ).map(({ line }) => line)
const versions = () =>
  app.stack.sql(
    `select id, xmin::text from public.reservations union all select id, xmin::text from public.customers order by 1`,
  )
const counts = (body: { locations: { locationName: string; count: number }[] }) =>
  Object.fromEntries(body.locations.map(({ locationName, count }) => [locationName, count]))

describe('an id that the PMS sends for two locations', () => {
  it('is the first’s by order when both come in one run; the other is named once a day, and nothing flips', async () => {
    book('alfa', '7', { name: 'Ana' })
    book('bravo', '7', { name: 'Bea' })
    book('bravo', '8', { name: 'Carla' })
    book('charlie', '7', { name: 'Dora' })
    const lines = ['Bravo', 'Charlie'].map((name) => `${name}: reservation 7: held by another location`)
    const first = await syncAt(0)
    expect(first).toMatchObject({ synced: 4, created: 2, updated: 0, errors: lines })
    expect(counts(first)).toEqual({ Alfa: 1, Bravo: 2, Charlie: 1 })
    expect(await place.lastRun()).toMatchObject({
      status: 'partial',
      issues: [
        { location: 'Bravo', code: 'held_elsewhere', reservation: '7', detail: null },
        { location: 'Charlie', code: 'held_elsewhere', reservation: '7', detail: null },
      ],
    })
    expect(await held()).toEqual(['7 Alfa Ana confirmed', '8 Bravo Carla confirmed'])
    expect(await app.stack.sql('select first_name from public.customers order by 1')).toEqual([
      { first_name: 'Ana' },
      { first_name: 'Carla' },
    ])
    const before = await versions()
    for (const minutes of [15, 30]) {
      const again = await syncAt(minutes)
      expect(again).toMatchObject({ synced: 4, created: 0, updated: 0, errors: [] })
      expect(counts(again)).toEqual({ Alfa: 1, Bravo: 2, Charlie: 1 })
    }
    expect(await place.lastRun()).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await versions()).toEqual(before)
    await nextDay()
    expect((await syncAt(45)).errors).toEqual(lines)
    expect((await syncAt(60)).errors).toEqual([])
  })

  it('stays with the location that has it when another one comes first by order later', async () => {
    book('bravo', '7', { name: 'Bea' })
    await syncAt(0)
    book('alfa', '7', { name: 'Ana', state: -2 })
    expect(await syncAt(15)).toMatchObject({
      ...{ created: 0, updated: 0 },
      errors: ['Alfa: reservation 7: held by another location'],
    })
    await syncAt(30)
    expect(await held()).toEqual(['7 Bravo Bea confirmed'])
    // Its own location may still change it.
    book('bravo', '7', { name: 'Bea', state: 2 })
    expect(await syncAt(45)).toMatchObject({ updated: 1, errors: [] })
    expect(await held()).toEqual(['7 Bravo Bea seated'])
  })

  it('eighty of them do not move either, and each is named', async () => {
    for (let n = 0; n < 80; n++) for (const slug of ['alfa', 'bravo']) book(slug, `r${n}`)
    expect((await syncAt(0)).errors).toHaveLength(80)
    expect(await syncAt(15)).toMatchObject({ synced: 160, created: 0, updated: 0, errors: [] })
    const [row] = await app.stack.sql(
      'select count(distinct location_id)::int as places from public.reservations',
    )
    expect(row).toEqual({ places: 1 })
  })

  it('is the other’s once it left the first: a booking that moved to another restaurant', async () => {
    book('alfa', '7', { name: 'Ana' })
    book('alfa', '6')
    await syncAt(0)
    place.book.alfa?.delete('7')
    book('bravo', '7', { name: 'Ana' })
    expect((await syncAt(15)).errors).toEqual(['Bravo: reservation 7: held by another location'])
    // Twenty minutes here (PMS_MISSING_MINUTES).
    await syncAt(34)
    expect(await held()).toEqual(['6 Alfa 6 confirmed', '7 Alfa Ana confirmed'])
    expect((await syncAt(35)).errors).toEqual([])
    expect(await held()).toEqual(['6 Alfa 6 confirmed', '7 Bravo Ana confirmed'])
    expect((await place.lastRun()).missing).toMatchObject({ Alfa: ['7'] })
    book('alfa', '7', { name: 'Ana' })
    expect((await syncAt(45)).errors).toEqual(['Alfa: reservation 7: held by another location'])
    expect(await held()).toEqual(['6 Alfa 6 confirmed', '7 Bravo Ana confirmed'])
  })

  it.each(['is_active = false', 'pms_id = null'])(
    'is not held by a location that is not synced: %s',
    async (change) => {
      book('alfa', '7', { name: 'Ana' })
      await syncAt(0)
      await app.stack.sql(`update public.locations set ${change} where name = 'Alfa'`)
      book('bravo', '7', { name: 'Ana' })
      expect(await syncAt(15)).toMatchObject({ updated: 1, errors: [] })
      expect(await held()).toEqual(['7 Bravo Ana confirmed'])
    },
  )

  it('is told to who works there, not to others', async () => {
    book('alfa', '7')
    book('bravo', '7')
    const errorsOf = async (slug: string) => {
      await app.stack.sql('delete from private.told_issues')
      const person = await signedIn(await place.group.person('operaciones', [place.locationId(slug)]))
      return (await answer(await person.request('POST', '/api/sync', { body: { source: 'pms' } }))).body
    }
    expect(await errorsOf('bravo')).toMatchObject({
      synced_reservations: 1,
      errors: ['Bravo: reservation 7: held by another location'],
    })
    expect(await errorsOf('alfa')).toMatchObject({ synced_reservations: 1, errors: [] })
  })

  it('is told once a day to who asks for a sync, whatever the job kept before', async () => {
    book('alfa', '7')
    book('bravo', '7')
    const issues = async () => (await place.lastRun()).issues
    await syncAt(0, 'cron')
    expect(await issues()).toMatchObject([{ code: 'held_elsewhere', reservation: '7' }])
    expect((await syncAt(0)).errors).toEqual(['Bravo: reservation 7: held by another location'])
    await syncAt(0, 'cron')
    expect(await issues()).toEqual([])
    expect((await syncAt(15)).errors).toEqual([])
  })

  it('is told to all once a day, whoever of one location syncs before', async () => {
    book('alfa', '7')
    book('bravo', '7')
    const line = 'Bravo: reservation 7: held by another location'
    const at = async (slug: string) =>
      signedIn(await place.group.person('operaciones', [place.locationId(slug)]))
    const people = { alfa: await at('alfa'), bravo: await at('bravo') }
    const errorsOf = async (slug: keyof typeof people) => {
      const response = await people[slug].request('POST', '/api/sync', { body: { source: 'pms' } })
      return (await answer(response)).body.errors
    }
    expect(await errorsOf('alfa')).toEqual([])
    expect(await errorsOf('bravo')).toEqual([line])
    expect((await syncAt(0)).errors).toEqual([line])
    expect(await errorsOf('bravo')).toEqual([])
    expect((await syncAt(15)).errors).toEqual([])
  })
})

describe('bookings that come from another location now', () => {
  const many = (slug: string, prefix: string, count = 8) => {
    for (let n = 0; n < count; n++) book(slug, `${prefix}${n}`)
  }
  const places = async () =>
    app.stack.sql(
      `select left(r.external_id, 1) as kind, l.name, r.status, count(*)::int as n
       from public.reservations r join public.locations l on l.id = r.location_id group by 1, 2, 3 order by 1, 2`,
    )

  it('get there when the PMS ids of two locations are swapped, also more than five, and stay there', async () => {
    many('alfa', 'a')
    many('bravo', 'b')
    await syncAt(0)
    await app.stack.sql(
      `update public.locations set pms_id = case name when 'Alfa' then 'bravo' else 'alfa' end
       where name in ('Alfa', 'Bravo')`,
    )
    expect((await syncAt(15)).errors).toHaveLength(16)
    // Too many are missing to cancel any: so the other location may have them.
    expect((await syncAt(35)).errors).toEqual(
      ['Alfa', 'Bravo'].map((name) => `${name}: no longer in the PMS: 8, not applied`),
    )
    expect(await syncAt(50)).toMatchObject({ created: 0, errors: [] })
    const swapped = [
      { kind: 'a', name: 'Bravo', status: 'confirmed', n: 8 },
      { kind: 'b', name: 'Alfa', status: 'confirmed', n: 8 },
    ]
    expect(await places()).toEqual(swapped)
    const before = await versions()
    for (const minutes of [65, 90]) expect(await syncAt(minutes)).toMatchObject({ updated: 0, errors: [] })
    expect(await versions()).toEqual(before)
    expect(await app.stack.sql('select * from private.missing_bookings')).toEqual([])
  })

  it('stay with the first of the two that sends them again, and do not go to and fro', async () => {
    many('alfa', 'a')
    await syncAt(0)
    place.book.alfa?.clear()
    book('alfa', 'x')
    await syncAt(15)
    expect((await syncAt(35)).errors).toEqual(['Alfa: no longer in the PMS: 8, not applied'])
    book('alfa', 'a0')
    for (const id of ['a0', 'a1']) book('bravo', id)
    expect((await syncAt(50)).errors).toEqual(['Bravo: reservation a0: held by another location'])
    book('alfa', 'a1')
    expect((await syncAt(65)).errors).toEqual(['Alfa: reservation a1: held by another location'])
    await syncAt(80)
    expect((await held()).slice(0, 3)).toEqual([
      'a0 Alfa a0 confirmed',
      'a1 Bravo a1 confirmed',
      'a2 Alfa a2 confirmed',
    ])
  })

  it('are not another party’s, though too many left to cancel them', async () => {
    many('alfa', 'a')
    await syncAt(0)
    place.book.alfa?.clear()
    book('alfa', 'x')
    book('bravo', 'a1', { time: '20:00' })
    await syncAt(15)
    await syncAt(35)
    await syncAt(50)
    expect((await held())[1]).toBe('a1 Alfa a1 confirmed')
  })

  it.each([
    ['of the same party keep its notes and amount', 'ana', [100, 'Ventana']],
    ['of another party do not', 'eva', [null, null]],
  ])('%s, and get no table of the first', async (_, party, [amount, notes]) => {
    const row = (id: string) => ({ ...{ id, time: '21:00', pax: 2, state: 1 }, date: place.day(0) })
    const answer = (slug: string, email: string | null) => {
      const rows = [
        row(`${slug}-1`),
        ...(email ? [{ ...row('7'), client_email: `${email}@correo.example` }] : []),
      ]
      place.pms.setFault(slug, { kind: 'answer', body: JSON.stringify({ resp: 1, reservs: rows }) })
    }
    answer('alfa', 'ana')
    await syncAt(0)
    await app.stack.sql(
      `update public.reservations set staff_marks = '{"table_name": null, "notes": null}', table_name = 'S4',
         notes = 'Ventana', total_amount = 100, guest_answer = 'confirmed', guest_answered_at = now() where external_id = '7'`,
    )
    answer('alfa', null)
    await syncAt(15)
    await syncAt(35)
    answer('bravo', party)
    await syncAt(50)
    place.pms.clearFaults()
    const [now7] = await app.stack.sql(
      `select l.name, r.table_name, r.notes, r.total_amount::int, r.status from public.reservations r
       join public.locations l on l.id = r.location_id where r.external_id = '7'`,
    )
    expect(now7).toEqual({
      name: 'Bravo',
      table_name: null,
      notes,
      total_amount: amount,
      status: 'confirmed',
    })
  })

  it('that staff confirmed again do not go', async () => {
    book('alfa', '6')
    book('alfa', '7', { name: 'Ana' })
    await syncAt(0)
    place.book.alfa?.delete('7')
    await syncAt(15)
    await syncAt(35)
    await app.stack.sql(
      `update public.reservations set status = 'confirmed', staff_marks = '{"status": "cancelled"}' where external_id = '7'`,
    )
    book('bravo', '7', { name: 'Bea' })
    expect((await syncAt(50)).errors).toEqual(['Bravo: reservation 7: held by another location'])
    expect(await held()).toEqual(['6 Alfa 6 confirmed', '7 Alfa Ana confirmed'])
  })

  it('are free once they were cancelled as missing, also when what was noted is deleted', async () => {
    book('alfa', '6')
    book('alfa', '7', { name: 'Ana' })
    await syncAt(0)
    place.book.alfa?.delete('7')
    await syncAt(15)
    await syncAt(35)
    expect(await held()).toEqual(['6 Alfa 6 confirmed', '7 Alfa Ana cancelled'])
    await app.stack.sql('delete from private.missing_bookings')
    book('bravo', '7', { name: 'Ana' })
    expect((await syncAt(50)).errors).toEqual([])
    expect(await held()).toEqual(['6 Alfa 6 confirmed', '7 Bravo Ana confirmed'])
  })

  it('are found in the days ahead: one id is the first’s there too, until it leaves', async () => {
    book('alfa', '6', { day: 40 })
    book('alfa', '7', { day: 40, name: 'Ana' })
    book('bravo', '7', { day: 40, name: 'Bea' })
    const lookAt = async (minutes: number) => {
      await place.fourHoursLater()
      await syncAt(minutes, 'cron')
      return (await place.lastRun()).issues
    }
    expect(await lookAt(0)).toMatchObject([{ location: 'Bravo', code: 'held_elsewhere', reservation: '7' }])
    expect(await held()).toEqual(['6 Alfa 6 confirmed', '7 Alfa Ana confirmed'])
    const before = await versions()
    expect(await lookAt(15)).toEqual([])
    expect(await versions()).toEqual(before)
    place.book.alfa?.delete('7')
    await lookAt(30)
    expect(await held()).toEqual(['6 Alfa 6 confirmed', '7 Alfa Ana confirmed'])
    await lookAt(50)
    expect(await held()).toEqual(['6 Alfa 6 confirmed', '7 Bravo Bea confirmed'])
  })
})

// The last of the file: the second group stays.
describe('an id in two organizations', () => {
  it('is a booking of each; what leaves one PMS is missing in its own', async () => {
    const other = await createGroup(app.stack, 'Otro Grupo', [{ name: 'Delta', slug: 'bravo' }])
    await connectPms(app.stack, other.id, place.pms.url)
    for (const id of ['6', '7']) book('alfa', id, { name: `alfa ${id}` })
    for (const id of ['6', '7', '8']) book('bravo', id, { name: `bravo ${id}` })
    await app.stack.sql(`update public.locations set is_active = false where name = 'Bravo'`)
    expect(await syncAt(0)).toMatchObject({ created: 5, errors: [] })
    const lines = (seven: string) => [
      ...['6 Alfa alfa 6 confirmed', '6 Delta bravo 6 confirmed'],
      ...['7 Alfa alfa 7 confirmed', `7 Delta bravo 7 ${seven}`, '8 Delta bravo 8 confirmed'],
    ]
    expect(await held()).toEqual(lines('confirmed'))
    place.book.bravo?.delete('7')
    await syncAt(15)
    expect((await syncAt(35)).errors).toEqual([])
    expect(await held()).toEqual(lines('cancelled'))
    book('bravo', '7', { name: 'bravo 7' })
    expect(await syncAt(50)).toMatchObject({ created: 0, updated: 1, errors: [] })
    expect(await held()).toEqual(lines('confirmed'))
  })
})
