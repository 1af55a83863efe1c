import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { JOBS } from '@/lib/cron/jobs'
import { addDays, localDate } from '@/lib/dates'
import { stackClient } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { stayInOneDay } from '../support/clock'
import { emptyTables } from '../support/empty-tables'
import { type PmsGroup, startPmsGroup } from '../support/pms-group'
import { answer, signedIn } from '../support/sign-in'

stayInOneDay()
let app: TestApp
let place: PmsGroup

beforeAll(async () => {
  app = await startApp()
  place = await startPmsGroup(app, ['Alfa', 'Bravo', 'Charlie'])
})

afterEach(async () => {
  place.pms.clearFaults()
  place.pms.ledger.clear()
  await app.stack.sql(emptyTables('reservations', 'customers', 'job_runs'))
  // Another PMS id and back: nothing is known of the locations any more.
  await app.stack.sql(`update public.locations set pms_id = 'other'`)
  await app.stack.sql('update public.locations set pms_id = lower(name)')
})

afterAll(async () => {
  await place?.pms.close()
  await app?.close()
})

const headers = () => ({ authorization: `Bearer ${app.cronSecret}` })
const cron = (path = 'sync') =>
  app.client().request('GET', `/api/cron/${path}`, { headers: headers() }).then(answer)
const sync = () => app.client().request('POST', '/api/sync', { headers: headers() }).then(answer)
const today = () => localDate(new Date(), 'Europe/Madrid')
const day = (days: number) => addDays(today(), days)
const asked = () => place.pms.ledger.entries.map(({ slug, from, to }) => `${slug} ${from} ${to}`)
const days = (slug: string, from: number, to: number) => `${slug} ${day(from)} ${day(to)}`
const USUAL = () => ['alfa', 'bravo', 'charlie'].map((slug) => days(slug, -7, 1))
const AHEAD = () => ['alfa', 'bravo', 'charlie'].flatMap((slug) => [days(slug, 2, 31), days(slug, 32, 60)])

/** Time passes for the looks ahead: as if they had been so long ago. */
const later = (interval: string) =>
  app.stack.sql(
    `update public.locations set looked_ahead_at = looked_ahead_at - $1::interval,
       ahead_tried_at = ahead_tried_at - $1::interval`,
    [interval],
  )
const known = async () =>
  Object.fromEntries(
    (
      await app.stack.sql<{ name: string; known_from: string; known_until: string }>(
        'select name, known_from::text, known_until::text from public.locations order by name',
      )
    ).map(({ name, known_from, known_until }) => [name, [known_from, known_until]]),
  )
const lastRun = async () => {
  const [run] = await app.stack.sql<{ status: string; result: { issues: { location: string }[] } }>(
    'select status, result from public.job_runs order by started_at desc limit 1',
  )
  return run
}

describe('looking ahead', () => {
  it('happens only in cron/sync, after the usual days of every location', async () => {
    await sync()
    expect(asked()).toEqual(USUAL())
    expect(await known()).toEqual({
      Alfa: [day(-7), day(1)],
      Bravo: [day(-7), day(1)],
      Charlie: [day(-7), day(1)],
    })
    place.pms.ledger.clear()
    const { status, body } = await cron()
    expect(status).toBe(200)
    expect(asked()).toEqual([...USUAL(), ...AHEAD()])
    expect(body.summary.map(({ result }: { result: object }) => result)).toEqual(
      ['Alfa', 'Bravo', 'Charlie'].map(() => ({ status: 'success', reservations: expect.any(Number) })),
    )
    expect(await known()).toEqual({
      Alfa: [day(-7), day(60)],
      Bravo: [day(-7), day(60)],
      Charlie: [day(-7), day(60)],
    })
    const served = new Set(
      place.pms.ledger.entries.flatMap(({ truths }) => truths.map(({ externalId }) => externalId)),
    )
    const rows = await app.stack.sql<{ external_id: string }>('select external_id from public.reservations')
    expect(new Set(rows.map(({ external_id }) => external_id))).toEqual(served)
  })

  it('waits four hours, also when the usual days come every time', async () => {
    await cron()
    await later('3 hours 59 minutes')
    place.pms.ledger.clear()
    await cron()
    expect(asked()).toEqual(USUAL())
    await later('2 minutes')
    place.pms.ledger.clear()
    await cron()
    expect(asked()).toEqual([...USUAL(), ...AHEAD()])
  })

  it('is part of the master', async () => {
    await cron('master')
    expect(asked()).toEqual([...USUAL(), ...AHEAD()])
  })

  it('updates a booking that moves to a day far ahead', async () => {
    const rows = (date: string) => [
      { booking_id: 'moved', booking_date: date, booking_time: '21:00', party_size: 2, status: 'confirmed' },
    ]
    place.pms.setFault('bravo', { kind: 'malformed_rows', rows: rows(today()), times: 1 })
    await sync()
    place.pms.setFault('bravo', { kind: 'malformed_rows', rows: rows(day(45)), after: 2 })
    await cron()
    const moved = await app.stack.sql(
      `select reservation_date::text as date from public.reservations where external_id = 'moved'`,
    )
    expect(moved).toEqual([{ date: day(45) }])
  })

  it('of one location that fails does not stop the others, and is tried again', async () => {
    // The usual days come, the days ahead do not.
    place.pms.setFault('alfa', { kind: 'error', status: 404, after: 1 })
    const { status, body } = await cron()
    place.pms.clearFaults()
    expect(status).toBe(200)
    expect(body.summary.map(({ result }: { result: { status: string } }) => result.status)).toEqual([
      'error',
      'success',
      'success',
    ])
    expect(await lastRun()).toMatchObject({
      status: 'partial',
      result: { issues: [{ location: 'Alfa', code: 'http_status', detail: 'the PMS answered 404' }] },
    })
    expect(await known()).toMatchObject({ Alfa: [day(-7), day(1)], Charlie: [day(-7), day(60)] })
    place.pms.ledger.clear()
    await cron()
    expect(asked()).toEqual([...USUAL(), days('alfa', 2, 31), days('alfa', 32, 60)])
    expect((await known()).Alfa).toEqual([day(-7), day(60)])
  })

  it('keeps the day it reached and goes on there', async () => {
    place.pms.setFault('alfa', { kind: 'error', status: 404, after: 2 })
    await cron()
    place.pms.clearFaults()
    expect((await known()).Alfa).toEqual([day(-7), day(31)])
    place.pms.ledger.clear()
    await cron()
    expect(asked()).toEqual([...USUAL(), days('alfa', 32, 60)])
    expect((await known()).Alfa).toEqual([day(-7), day(60)])
  })

  it('ends with the time of the job; nothing that came is lost and nothing counts as failed', async () => {
    place.pms.setFault('bravo', { kind: 'hang', after: 2 })
    const time = new AbortController()
    const run = JOBS.sync.run({ db: stackClient(app.stack, 'service'), now: new Date(), signal: time.signal })
    const asking = [...USUAL(), ...AHEAD().slice(0, 4)]
    await vi.waitFor(() => expect(asked()).toEqual(asking), { timeout: 20_000 })
    time.abort()
    expect(JSON.stringify(await run)).not.toContain('error')
    place.pms.clearFaults()
    expect(await lastRun()).toMatchObject({ status: 'succeeded', result: { issues: [] } })
    expect(asked()).toEqual(asking)
    expect(await known()).toEqual({
      Alfa: [day(-7), day(60)],
      Bravo: [day(-7), day(31)],
      Charlie: [day(-7), day(1)],
    })
    place.pms.ledger.clear()
    await cron()
    expect(await known()).toMatchObject({
      Alfa: [day(-7), day(60)],
      Bravo: [day(-7), day(60)],
      Charlie: [day(-7), day(60)],
    })
  })

  it('asks page by page', async () => {
    place.pms.setFault('charlie', { kind: 'large', rows: 1500 })
    await cron()
    const pages = place.pms.ledger.entries
      .filter(({ slug, from }) => slug === 'charlie' && from === day(2))
      .map(({ page }) => page)
    expect(pages).toEqual([0, 1])
  })

  it('keeps since when a location fails, and forgets it when it works again', async () => {
    const state = async () =>
      (
        await app.stack.sql<{ row: Record<string, string | null> }>(
          `select to_jsonb(l) as row from public.locations l where name = 'Bravo'`,
        )
      )[0]?.row
    await sync()
    const good = await state()
    expect(good).toMatchObject({ sync_failing_since: null, sync_failure: null })
    place.pms.setFault('bravo', { kind: 'error', status: 404 })
    await sync()
    const failing = await state()
    expect(failing).toMatchObject({ synced_at: good?.synced_at, sync_failure: 'http_status' })
    expect(Date.parse(failing?.sync_failing_since ?? '')).toBeGreaterThan(Date.parse(good?.synced_at ?? ''))
    place.pms.setFault('bravo', { kind: 'html' })
    await cron()
    expect(await state()).toMatchObject({
      synced_at: good?.synced_at,
      sync_failing_since: failing?.sync_failing_since,
      sync_failure: 'not_json',
      known_until: day(1),
    })
    place.pms.clearFaults()
    await sync()
    const mended = await state()
    expect(mended).toMatchObject({ sync_failing_since: null, sync_failure: null })
    expect(Date.parse(mended?.synced_at ?? '')).toBeGreaterThan(Date.parse(good?.synced_at ?? ''))
  })

  it('does not count the days of a gap as known after a long time without a sync', async () => {
    await app.stack.sql(`update public.locations set known_from = $1, known_until = $2 where name = 'Alfa'`, [
      day(-40),
      day(-9),
    ])
    await sync()
    expect((await known()).Alfa).toEqual([day(-7), day(1)])
    await app.stack.sql(`update public.locations set known_from = $1, known_until = $2 where name = 'Alfa'`, [
      day(-40),
      day(-8),
    ])
    await sync()
    expect((await known()).Alfa).toEqual([day(-40), day(1)])
  })

  it('begins anew with another PMS id', async () => {
    await cron()
    await app.stack.sql(`update public.locations set pms_id = 'elsewhere' where name = 'Bravo'`)
    expect((await known()).Bravo).toEqual([null, null])
    await app.stack.sql(`update public.locations set pms_id = 'bravo' where name = 'Bravo'`)
    place.pms.ledger.clear()
    await cron()
    expect(asked()).toEqual([...USUAL(), days('bravo', 2, 31), days('bravo', 32, 60)])
  })

  it('is known_until in the API, which no caller can set', async () => {
    await cron()
    const client = await signedIn(await place.group.person('admin'))
    const { body } = await client.request('GET', '/api/locations').then(answer)
    expect(body.data.map(({ known_until }: { known_until: string }) => known_until)).toEqual([
      day(60),
      day(60),
      day(60),
    ])
    const path = `/api/locations/${place.locationId('alfa')}`
    const changed = await client.request('PATCH', path, { body: { city: 'Toledo' } }).then(answer)
    expect(changed).toMatchObject({ status: 200, body: { data: { city: 'Toledo', known_until: day(60) } } })
    const set = await client.request('PATCH', path, { body: { known_until: '2199-01-01' } }).then(answer)
    expect(set.status).toBe(400)
    const rpc = await (await place.group.person('admin')).db.rpc('save_location', {
      p_location: place.locationId('alfa'),
      p_values: { known_until: '2199-01-01', sync_failing_since: '2020-01-01' },
    })
    expect(rpc.error).toBeNull()
    expect((await known()).Alfa).toEqual([day(-7), day(60)])
  })
})
