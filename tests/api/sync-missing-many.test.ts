import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Client, startApp, type TestApp } from '../support/app'
import { stopClock } from '../support/clock'
import { type PmsBook, startPmsBook } from '../support/pms-book'
import { answer, signedIn } from '../support/sign-in'

stopClock()
let app: TestApp
let place: PmsBook
let boss: Client

beforeAll(async () => {
  app = await startApp()
  place = await startPmsBook(app, ['Alfa', 'Bravo'])
  boss = await signedIn(await place.group.person('admin'))
})
beforeEach(async () => {
  await place.begin()
})
afterAll(async () => {
  await place?.pms.close()
  await app?.close()
})

const syncAt: PmsBook['syncAt'] = (...at) => place.syncAt(...at)
function book(slug: string, count: number, booking = {}, prefix = slug) {
  for (let n = 0; n < count; n++) place.book[slug]?.set(`${prefix}-${n}`, booking)
}
function remove(slug: string, count: number) {
  for (let n = 0; n < count; n++) place.book[slug]?.delete(`${slug}-${n}`)
}
const missing = async () => {
  const [row] = await app.stack.sql<{ n: number }>(
    `select count(*)::int as n from public.reservations where pms_status = 'missing' and status = 'cancelled'`,
  )
  return row?.n
}
const notices = async (client = boss) => (await answer(await client.request('GET', '/api/notices'))).body.data

describe('many bookings that leave the PMS at once', () => {
  it.each([
    ['five of six', 6, 5],
    ['six of thirty, a fifth', 30, 6],
  ])('are cancelled as long as they are few, or at most a fifth: %s', async (_, all, gone) => {
    book('alfa', all)
    await syncAt(0)
    remove('alfa', gone)
    await syncAt(15)
    expect(await syncAt(30)).toMatchObject({ updated: 0, errors: [] })
    expect(await missing()).toBe(gone)
    expect((await place.lastRun()).missing.Alfa).toHaveLength(gone)
  })

  it('are left alone when they are six and more than a fifth; the sync says so once a day a location', async () => {
    book('alfa', 29)
    book('bravo', 41)
    await syncAt(0)
    remove('alfa', 6)
    remove('bravo', 40)
    expect((await syncAt(15)).errors).toEqual([])
    const lines = [
      'Alfa: no longer in the PMS: 6, not applied',
      'Bravo: no longer in the PMS: 40, not applied',
    ]
    expect(await syncAt(30)).toMatchObject({ synced: 24, created: 0, updated: 0, errors: lines })
    expect(await place.lastRun()).toMatchObject({
      status: 'partial',
      issues: [
        { location: 'Alfa', code: 'not_applied', reservation: null, detail: '6' },
        { location: 'Bravo', code: 'not_applied', reservation: null, detail: '40' },
      ],
      missing: { Alfa: [], Bravo: [] },
    })
    // The locations as such were synced.
    expect(
      await app.stack.sql('select sync_failure, sync_failing_since from public.locations where name = $1', [
        'Alfa',
      ]),
    ).toEqual([{ sync_failure: null, sync_failing_since: null }])
    expect(await notices()).toMatchObject({
      left_pms: {
        ...{ count: 0, not_applied: 46 },
        locations: [
          { location: 'Alfa', cancelled: 0, not_applied: 6, bookings: [] },
          { location: 'Bravo', cancelled: 0, not_applied: 40, bookings: [] },
        ],
      },
    })
    expect((await syncAt(45)).errors).toEqual([])
    expect(await place.lastRun()).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await missing()).toBe(0)
    // As if it had been said the day before.
    await app.stack.sql('update private.told_issues set day = day - 1')
    expect((await syncAt(60)).errors).toEqual(lines)
    expect((await syncAt(75)).errors).toEqual([])
    expect(await missing()).toBe(0)
  })

  it('are cancelled once most of them are there again, and nobody is told of these any more', async () => {
    book('alfa', 29)
    await syncAt(0)
    remove('alfa', 29)
    book('alfa', 1, {}, 'other')
    await syncAt(15)
    await syncAt(30)
    expect((await notices()).left_pms).toMatchObject({ count: 0, not_applied: 29 })
    book('alfa', 29)
    remove('alfa', 2)
    await syncAt(45)
    expect(await missing()).toBe(2)
    expect((await notices()).left_pms).toMatchObject({ count: 2, not_applied: 0 })
  })

  it('are counted when they are due: what goes a few at a time is cancelled a few at a time', async () => {
    book('alfa', 30)
    await syncAt(0)
    remove('alfa', 4)
    await syncAt(15)
    remove('alfa', 8)
    expect((await syncAt(25)).errors).toEqual([])
    expect(await missing()).toBe(4)
    expect((await syncAt(35)).errors).toEqual([])
    expect(await missing()).toBe(8)
  })

  it('are a fifth of those that would still come, of which staff marked some', async () => {
    book('alfa', 30)
    await syncAt(0)
    await app.stack.sql(
      `update public.reservations set staff_marks = '{"status": "pending"}' where external_id in ('alfa-6', 'alfa-7')`,
    )
    remove('alfa', 8)
    await syncAt(15)
    expect((await syncAt(30)).errors).toEqual([])
    expect(await missing()).toBe(6)
  })

  it('are more than a fifth when others sit already', async () => {
    book('alfa', 29)
    book('alfa', 5, { state: 2 }, 'sat')
    await syncAt(0)
    remove('alfa', 6)
    await syncAt(15)
    expect((await syncAt(30)).errors).toEqual(['Alfa: no longer in the PMS: 6, not applied'])
  })

  it('are judged by each answer: those of the days ahead by theirs', async () => {
    book('alfa', 30)
    book('alfa', 8, { day: 40 }, 'ahead')
    await syncAt(0, 'cron')
    for (let n = 0; n < 7; n++) place.book.alfa?.delete(`ahead-${n}`)
    for (const minutes of [15, 30]) {
      await place.fourHoursLater()
      await syncAt(minutes, 'cron')
    }
    expect(await place.lastRun()).toMatchObject({ issues: [{ code: 'not_applied', detail: '7' }] })
    expect(await missing()).toBe(0)
  })
})

describe('who is told of bookings that left the PMS', () => {
  it('sees in the bell how many, and which, for a day; others of the group do not', async () => {
    book('alfa', 9)
    for (let n = 0; n < 5; n++)
      place.book.alfa?.set(`alfa-${n}`, { name: `Guest ${n}`, time: `${18 + n}:30`, day: 1 })
    book('bravo', 1)
    await syncAt(0)
    remove('alfa', 5)
    await syncAt(15)
    expect((await notices()).left_pms).toEqual({ count: 0, not_applied: 0, locations: [] })
    await syncAt(30)
    const booking = (customer_name: string, reservation_time: string) => ({
      ...{ id: expect.any(String), customer_name, reservation_time },
      ...{ service_date: place.day(1), reservation_date: place.day(1) },
    })
    const { left_pms } = await notices()
    expect(left_pms).toEqual({
      ...{ count: 5, not_applied: 0 },
      locations: [
        {
          ...{ location_id: place.locationId('alfa'), location: 'Alfa', cancelled: 5, not_applied: 0 },
          bookings: [booking('Guest 0', '18:30'), booking('Guest 1', '19:30'), booking('Guest 2', '20:30')],
        },
      ],
    })
    const nothing = { count: 0, not_applied: 0, locations: [] }
    const [alfa, bravo] = [place.locationId('alfa'), place.locationId('bravo')]
    for (const [role, locations, seen] of [
      ['operaciones', [alfa], left_pms],
      ['operaciones', [bravo], nothing],
      ['rrhh', undefined, nothing],
    ] as const) {
      const person = await signedIn(await place.group.person(role, locations && [...locations]))
      expect((await notices(person)).left_pms).toEqual(seen)
    }
    // Confirmed by staff, it needs nobody's attention.
    const path = `/api/reservations/${left_pms.locations[0].bookings[0].id}`
    expect((await boss.request('PATCH', path, { body: { status: 'confirmed' } })).status).toBe(200)
    expect((await notices()).left_pms).toMatchObject({ count: 4 })
    await place.passTo(30 + 24 * 60)
    expect((await notices()).left_pms).toEqual(nothing)
  })

  it('is told once a day, whoever of another location syncs before', async () => {
    book('alfa', 9)
    book('bravo', 1)
    await syncAt(0)
    remove('alfa', 8)
    await syncAt(15)
    await place.passTo(30)
    const at = async (slug: string) =>
      signedIn(await place.group.person('operaciones', [place.locationId(slug)]))
    const people = { alfa: await at('alfa'), bravo: await at('bravo') }
    const errorsOf = async (slug: keyof typeof people) => {
      const response = await people[slug].request('POST', '/api/sync', { body: { source: 'pms' } })
      return (await answer(response)).body.errors
    }
    const line = 'Alfa: no longer in the PMS: 8, not applied'
    expect(await errorsOf('bravo')).toEqual([])
    expect(await errorsOf('alfa')).toEqual([line])
    expect((await syncAt(30)).errors).toEqual([line])
    expect(await errorsOf('alfa')).toEqual([])
    expect((await syncAt(45)).errors).toEqual([])
  })
})
