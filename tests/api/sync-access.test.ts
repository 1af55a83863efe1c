import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type PmsGroup, startPmsGroup } from '../support/pms-group'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let place: PmsGroup
let cook: Person

beforeAll(async () => {
  app = await startApp()
  place = await startPmsGroup(app, ['Alfa', 'Bravo', 'Charlie'])
  cook = await place.group.person('rrhh')
})

afterEach(async () => {
  place.pms.ledger.clear()
  await app.stack.sql(emptyTables('reservations', 'customers', 'job_runs', 'job_leases'))
})

afterAll(async () => {
  await place?.pms.close()
  await app?.close()
})

const bearer = (secret = app.cronSecret) => ({ headers: { authorization: `Bearer ${secret}` } })

const UNAUTHORIZED = { status: 401, body: { error: 'Unauthorized' } }

describe('POST /api/sync by a scheduler', () => {
  it.each([
    ['a wrong secret', { authorization: 'Bearer wrong' }],
    ['the bare secret', { authorization: 'secret-without-bearer' }],
    ['an empty bearer', { authorization: 'Bearer ' }],
    ['nothing at all', {}],
  ])('is refused with %s and fetches nothing', async (_, headers) => {
    expect(await answer(await app.client().request('POST', '/api/sync', { headers }))).toEqual(UNAUTHORIZED)
    expect(place.pms.ledger.requests).toBe(0)
  })

  it('ten at once do the work once; the others get 409', async () => {
    const calls = Array.from({ length: 10 }, () => app.client().request('POST', '/api/sync', bearer()))
    const answers = await Promise.all((await Promise.all(calls)).map(answer))
    const done = answers.filter(({ status }) => status === 200)
    expect(done).toHaveLength(1)
    expect(done[0]?.body).toMatchObject({ success: true, updated: 0, errors: [] })
    for (const other of answers.filter((one) => one !== done[0])) {
      expect(other).toEqual({ status: 409, body: { error: 'Sync already running' } })
    }
    expect(place.pms.ledger.requests).toBe(3)
    const [rows] = await app.stack.sql<{ n: number }>('select count(*)::int as n from public.reservations')
    expect(rows?.n).toBe(done[0]?.body.created)
  })

  it('a lease left by a process that died ends by itself, and its run is marked as failed', async () => {
    await app.stack.sql(
      `insert into public.job_leases values ($1, gen_random_uuid(), now() + interval '60 seconds')`,
      [`sync:${place.group.id}`],
    )
    await app.stack.sql(`insert into public.job_runs (organization_id, job) values ($1, 'sync')`, [
      place.group.id,
    ])
    expect((await app.client().request('POST', '/api/sync', bearer())).status).toBe(409)
    await app.stack.sql(`update public.job_leases set expires_at = now() - interval '1 second'`)
    expect((await app.client().request('POST', '/api/sync', bearer())).status).toBe(200)
    const runs = await app.stack.sql('select status from public.job_runs order by started_at')
    expect(runs).toEqual([{ status: 'failed' }, { status: 'succeeded' }])
  })

  it('only active locations with a PMS id are asked', async () => {
    await app.stack.sql(`update public.locations set is_active = false where name = 'Bravo'`)
    await app.stack.sql(`update public.locations set pms_id = null where name = 'Charlie'`)
    const { body } = await answer(await app.client().request('POST', '/api/sync', bearer()))
    expect(body.locations).toEqual([
      { locationId: place.locationId('alfa'), locationName: 'Alfa', count: expect.any(Number) },
    ])
    await app.stack.sql(`update public.locations set is_active = true, pms_id = lower(name)`)
  })

  it('says so when no PMS is configured', async () => {
    await app.stack.sql('update public.integration_configs set is_enabled = false')
    expect(await answer(await app.client().request('POST', '/api/sync', bearer()))).toEqual({
      status: 500,
      body: { error: 'PMS integration is not configured' },
    })
    await app.stack.sql('update public.integration_configs set is_enabled = true')
  })
})

describe('POST /api/sync by a person', () => {
  it('needs a session, whatever the body', async () => {
    const body = { source: 'pms' }
    expect(await answer(await app.client().request('POST', '/api/sync', { body }))).toEqual(UNAUTHORIZED)
  })

  it.each([
    ['another source', { source: 'csv' }],
    ['no source', {}],
    ['broken JSON', '{"source":'],
  ])('refuses %s', async (_, body) => {
    const client = await signedIn(cook)
    expect(await answer(await client.request('POST', '/api/sync', { body }))).toEqual({
      status: 400,
      body: { error: 'Invalid sync source' },
    })
  })

  it('synchronises their organization and counts customers', async () => {
    const client = await signedIn(cook)
    const { status, body } = await answer(
      await client.request('POST', '/api/sync', { body: { source: 'pms' } }),
    )
    const [rows] = await app.stack.sql<{ n: number }>('select count(*)::int as n from public.reservations')
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      synced_reservations: rows?.n,
      synced_customers: expect.any(Number),
      errors: [],
    })
    expect(body.synced_reservations).toBeGreaterThan(60)
  })

  it('is refused when another site made the browser send it', async () => {
    const client = await signedIn(cook)
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ]
    for (const headers of foreign) {
      const response = await client.request('POST', '/api/sync', { body: { source: 'pms' }, headers })
      expect(await answer(response)).toEqual({ status: 403, body: { error: 'Forbidden' } })
    }
    expect(place.pms.ledger.requests).toBe(0)
  })

  it('refuses an oversized body and a wrong content type', async () => {
    const client = await signedIn(cook)
    const large = await client.request('POST', '/api/sync', { body: `"${'x'.repeat(1_100_000)}"` })
    expect(await answer(large)).toEqual({ status: 413, body: { error: 'Request body too large' } })
    const form = await client.request('POST', '/api/sync', {
      body: 'source=pms',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(form.status).toBe(415)
  })
})

describe('GET /api/cron/sync', () => {
  it('answers a summary by location', async () => {
    place.pms.setFault('bravo', { kind: 'html' })
    const { status, body } = await answer(await app.client().request('GET', '/api/cron/sync', bearer()))
    place.pms.clearFaults()
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      summary: [
        { location: 'Alfa', result: { status: 'success', reservations: expect.any(Number) } },
        { location: 'Bravo', result: { status: 'error', reservations: 0 } },
        { location: 'Charlie', result: { status: 'success', reservations: expect.any(Number) } },
      ],
    })
  })

  it('is skipped while another run is under way', async () => {
    const [first, second] = await Promise.all([
      app.client().request('GET', '/api/cron/sync', bearer()).then(answer),
      app.client().request('GET', '/api/cron/sync', bearer()).then(answer),
    ])
    const skipped = [first, second].filter(({ body }) => body.skipped)
    expect(skipped).toHaveLength(1)
    expect(skipped[0]).toMatchObject({ status: 200, body: { success: true, summary: [], skipped: true } })
  })

  it('is refused without the secret', async () => {
    expect(await answer(await app.client().request('GET', '/api/cron/sync'))).toEqual(UNAUTHORIZED)
  })
})
