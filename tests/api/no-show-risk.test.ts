import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDays, DAY_MS } from '@/lib/dates'
import { serviceDb } from '@/lib/db/service'
import { keepNoShowRates, noShowRisks } from '@/lib/reservations/no-show-risk'
import { listDay } from '@/lib/reservations/reads'
import type { Service } from '@/lib/service/schema'
import { claimsOf, createGroup, type Group, type Person } from '../factories/group'
import { createCustomer, createReservation } from '../factories/messaging'
import { startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

const NOON = new Date('2026-11-20T11:00:00Z')
const TODAY = '2026-11-20'
const on = (days: number) => addDays(TODAY, days)

let app: TestApp
let group: Group
let host: Person
let norte: string
let sur: string
let ana: string

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Riesgo', [
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  host = await group.person('operaciones')
  norte = String(group.locations[0]?.id)
  sur = String(group.locations[1]?.id)
})
beforeEach(async () => {
  await sql(emptyTables('reservations', 'customers', 'private.no_show_rates'))
  ana = await createCustomer(app.stack, group.id, { first_name: 'Ana' })
})
afterAll(() => app?.close())

const sql = <Row>(query: string, parameters?: unknown[]) => app.stack.sql<Row>(query, parameters)
const book = (days: number, row: Record<string, unknown> = {}) =>
  createReservation(app.stack, group.id, {
    location_id: norte,
    customer_id: ana,
    reservation_date: on(days),
    created_at: `${on(Math.min(0, days) - 3)}T10:00:00Z`,
    ...row,
  })
/** A booking that is over. */
const kept = (days: number, row: Record<string, unknown> = {}) =>
  book(days, { status: 'completed', service_over: true, ...row })
const missed = (days: number, row: Record<string, unknown> = {}) => kept(days, { status: 'no_show', ...row })
/** Bookings of Norte without a customer, some every day of the last month. */
const past = (count: number, status: string) =>
  sql(
    `insert into public.reservations (organization_id, location_id, reservation_date, reservation_time, party_size, status,
       service_over, created_at)
     select $1, $2, $3::date - 1 - n % 30, '21:00', 2, $4, true, $3::date - 60
     from generate_series(1, $5) as n`,
    [group.id, norte, TODAY, status, count],
  )
const keep = (now: Date) => keepNoShowRates({ db: serviceDb(), now, signal: new AbortController().signal })
const riskOf = async (id: string) => (await noShowRisks({ db: host.db }, [id], NOON)).get(id)

describe('the risk of a reservation', () => {
  it('is that of the guest’s own bookings before it, in every location', async () => {
    await missed(-200)
    await missed(-40, { location_id: sur })
    for (const days of [-30, -20, -10]) await kept(days)
    // These do not count: cancelled, imported, a walk-in, of somebody else, still ahead.
    await book(-9, { status: 'cancelled', service_over: true })
    await missed(-8, { source: 'import' })
    await missed(-7, { walk_in: true })
    await missed(-6, { customer_id: null })
    const id = await book(5, { created_at: `${on(-35)}T10:00:00Z`, party_size: 4 })
    await book(9)
    expect(await riskOf(id)).toMatchObject({
      ...{ bookings: 5, no_shows: 2, lead_days: 40, party_size: 4, confirmed: false },
      level: 'medium',
    })
  })

  it('falls with the answer of the guest, where answers make a difference', async () => {
    for (let n = 0; n < 60; n++)
      await kept(-1 - n, {
        customer_id: null,
        ...(n % 2 ? { guest_answer: 'confirmed' } : { status: n % 4 ? 'completed' : 'no_show' }),
      })
    const asked = await book(1)
    const sure = await book(2, { guest_answer: 'confirmed' })
    const risks = await noShowRisks({ db: host.db }, [asked, sure], NOON)
    expect(risks.get(sure)).toMatchObject({ confirmed: true })
    expect(Number(risks.get(sure)?.probability)).toBeLessThan(Number(risks.get(asked)?.probability) * 0.6)
  })

  it('starts from the rate of its own location in the last 90 days', async () => {
    for (let n = 1; n <= 40; n++) {
      await missed(-n, { customer_id: null, location_id: sur })
      await kept(-n, { customer_id: null })
      await missed(-100, { customer_id: null })
    }
    const [there, here] = [await book(1, { location_id: sur }), await book(1)]
    const risks = await noShowRisks({ db: host.db }, [there, here], NOON)
    expect(risks.get(there)?.level).toBe('high')
    expect(Number(risks.get(here)?.probability)).toBeLessThan(0.05)
  })

  it('takes the rates that the job counted for the service day, or for the day before', async () => {
    const ahead = await book(3)
    await past(600, 'no_show')
    await keep(NOON)
    // More than a day of marking changes, so that it shows which count was taken.
    await sql(`update public.reservations set status = 'completed' where status = 'no_show'`)
    const atNoon = (days: number) => new Date(NOON.getTime() + days * DAY_MS)
    const levels = async () =>
      (await Promise.all([0, 1, 2].map((days) => noShowRisks({ db: host.db }, [ahead], atNoon(days))))).map(
        (risks) => risks.get(ahead)?.level,
      )
    expect(await levels()).toEqual(['high', 'high', 'low'])
    await keep(NOON)
    expect(await levels()).toEqual(['high', 'high', 'low'])
    await keep(atNoon(1))
    expect(await levels()).toEqual(['low', 'low', 'low'])
  })

  it('takes rates that the job sync keeps for every location', async () => {
    const headers = { Authorization: `Bearer ${app.cronSecret}` }
    await answer(await app.client().request('GET', '/api/cron/sync', { headers }))
    const kept = await sql<{ id: string }>('select location_id::text as id from private.no_show_rates')
    expect(kept.map(({ id }) => id).sort()).toEqual([norte, sur].sort())
  })

  it('is counted anew where there are few bookings, as before the first sync', async () => {
    const ahead = await book(3)
    await keep(NOON)
    await past(600, 'no_show')
    expect((await riskOf(ahead))?.level).toBe('high')
    await keep(new Date(NOON.getTime() + 11 * 60_000))
    await sql(`update public.reservations set status = 'completed' where status = 'no_show'`)
    expect((await riskOf(ahead))?.level).toBe('high')
  })

  it('has no lead time where the time of booking is not known', async () => {
    const id = await book(1)
    expect((await riskOf(id))?.lead_days).toBe(4)
    await sql('update public.reservations set created_at = $1 where id = $2', [`${on(3)}T10:00:00Z`, id])
    expect((await riskOf(id))?.lead_days).toBeNull()
  })

  it.each([
    ['cancelled', 1],
    ['seated', 0],
    ['confirmed', -1],
  ])('is none for one that is %s, %i days from now', async (status, days) => {
    expect(await riskOf(await book(days, { status }))).toBeUndefined()
  })

  // The embedded stack counts no calls.
  it.runIf(process.env.STACK === 'postgres')(
    'asks where the caller works once, not for each reservation',
    async () => {
      const ids: string[] = []
      for (let nth = 0; nth < 12; nth++) ids.push(await book(0))
      await sql('begin')
      await sql(`set local track_functions = 'pl'`)
      await sql(`select set_config('request.jwt.claims', $1, true)`, [await claimsOf(host)])
      await sql('set local role authenticated')
      const [found] = await sql<{ rows: number }>(
        `select jsonb_array_length(public.no_show_features($1, $2) -> 'reservations') as rows`,
        [ids, NOON],
      )
      await sql('set local role none')
      const [counted] = await sql<{ calls: number }>(
        `select pg_stat_get_xact_function_calls('private.bound_to()'::regprocedure) as calls`,
      )
      await sql('rollback')
      expect({ ...found, ...counted }).toEqual({ rows: 12, calls: 1 })
    },
  )

  it('is not for other organizations', async () => {
    const other = await createGroup(app.stack, 'Otro Riesgo')
    const stranger = await other.person('super_admin')
    const id = await book(1)
    expect(await noShowRisks({ db: stranger.db }, [id], NOON)).toEqual(new Map())
  })
})

describe('the list of a day', () => {
  /** A guest who has missed 20 bookings, where others keep theirs. */
  async function whoMisses(): Promise<string> {
    const guest = await createCustomer(app.stack, group.id, { first_name: 'Eva' })
    const past = `insert into public.reservations (organization_id, location_id, customer_id, reservation_date,
        reservation_time, party_size, status, service_over, created_at)
      select $1, $2, $3, $4::date - n % 60 - 1, '21:00', 2, $5, true, $4::date - n % 60 - 4 from generate_series(1, $6) n`
    for (const place of [norte, sur]) await sql(past, [group.id, place, null, TODAY, 'completed', 400])
    await sql(past, [group.id, norte, guest, TODAY, 'no_show', 20])
    return guest
  }

  const page = async (filters: object) => {
    const { data, next_cursor, risks } = await listDay({ db: host.db }, { date: on(1), ...filters }, NOON)
    return { ids: data.map(({ id }) => id), next: next_cursor ?? undefined, risks }
  }

  it('is narrowed by risk, in its order, page by page', async () => {
    const often = await whoMisses()
    const at = (hour: number, more: object) => book(1, { reservation_time: `${hour}:00`, ...more })
    const high = [
      await at(22, { customer_id: often }),
      await at(13, { customer_id: often }),
      await at(20, { customer_id: often, location_id: sur }),
    ]
    await at(14, {})
    await at(15, { customer_id: often, status: 'cancelled' })
    await at(16, { customer_id: often, walk_in: true })
    const [late, early, other] = high
    const all = await page({ risk: 'high' })
    expect(all.ids).toEqual([early, other, late])
    expect(all.risks.get(String(early))).toMatchObject({ level: 'high', no_shows: 20 })
    const first = await page({ risk: 'high', limit: 2 })
    expect(first.ids).toEqual([early, other])
    expect((await page({ risk: 'high', limit: 2, cursor: first.next })).ids).toEqual([late])
    expect((await page({ risk: 'high', location_id: sur })).ids).toEqual([other])
    expect((await page({ risk: 'high', status: ['cancelled'] })).ids).toEqual([])
    expect((await page({ risk: 'medium' })).ids).toEqual(expect.arrayContaining(high))
    expect((await page({ risk: 'high', date: on(-3) })).ids).toEqual([])
    expect((await page({})).ids).toHaveLength(6)
  })

  it('goes on behind the last one looked at, also when none of these is wanted', async () => {
    const often = await whoMisses()
    await sql(
      `insert into public.reservations (organization_id, location_id, reservation_date, reservation_time, party_size, status)
       select $1, $2, $3, '13:00', 2, 'confirmed' from generate_series(1, 501)`,
      [group.id, norte, on(1)],
    )
    const wanted = await book(1, { customer_id: often, reservation_time: '22:00' })
    const first = await page({ risk: 'high' })
    expect(first.ids).toEqual([])
    expect((await page({ risk: 'high', cursor: first.next })).ids).toEqual([wanted])
  })

  it('is narrowed by the API, which knows no other risk', async () => {
    const client = await signedIn(host)
    const ask = (risk: string) => client.request('GET', `/api/reservations?date=2199-01-01&risk=${risk}`)
    expect(await answer(await ask('high'))).toMatchObject({
      status: 200,
      body: { data: [], next_cursor: null },
    })
    expect((await ask('certain')).status).toBe(400)
  })
})

it('the service shows it of those who are expected, and of nobody else', async () => {
  const [today] = await sql<{ day: string }>(
    `select private.current_service('Europe/Madrid', now())::text as day`,
  )
  const row = { reservation_date: today?.day }
  await missed(-100)
  const expected = await book(0, row)
  await book(0, { ...row, status: 'seated' })
  const client = await signedIn(host)
  const { body } = await answer(await client.request('GET', `/api/service?location_id=${norte}`))
  const shown = (body as { data: Service }).data.parties.map(({ id, risk }) => [id, risk?.no_shows ?? null])
  expect(shown).toHaveLength(2)
  expect(shown).toContainEqual([expected, 1])
  expect(shown.filter(([, count]) => count === null)).toHaveLength(1)
})
