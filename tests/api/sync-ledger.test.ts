import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, localDate } from '@/lib/dates'
import { connectPms, createGroup, type Group, PMS_KEY, setRules } from '../factories/group'
import { DEMO_VENUES } from '../fakes/pms/demo-venues'
import { createDemoWorld } from '../fakes/pms/demo-world'
import { type PmsSimulator, startPmsSimulator } from '../fakes/pms/server'
import { type Client, startApp, type TestApp } from '../support/app'
import { stopClock } from '../support/clock'
import { expectSync, instant, type ServedLocation } from '../support/expect-sync'
import { signedIn } from '../support/sign-in'

const RULES = {
  Bronce: { min_spend: 0, min_visits: 1 },
  Plata: { min_spend: 60, min_visits: 1 },
  Oro: { min_spend: 150, min_visits: 2 },
}
const RANKS: Record<string, number> = { Bronce: 1, Plata: 2, Oro: 3, Platino: 4 }

stopClock()
let app: TestApp
let pms: PmsSimulator
let group: Group
let answer: Record<string, unknown>
let expected: ReturnType<typeof expectSync>

const scheduler = () => ({ headers: { authorization: `Bearer ${app.cronSecret}` } })

beforeAll(async () => {
  app = await startApp({ PMS_SYNC_DAYS_BACK: '28' })
  // The clock stands still, so no visit ends between two syncs.
  const now = new Date()
  const world = createDemoWorld({ seed: 'ledger', now: () => now, scale: 2 })
  pms = await startPmsSimulator({ world, apiKey: PMS_KEY })
  group = await createGroup(
    app.stack,
    'Grupo Ledger',
    DEMO_VENUES.map(({ name, slug, timezone, averageSpend }) => ({ name, slug, timezone, averageSpend })),
  )
  await connectPms(app.stack, group.id, pms.url)
  for (const location of group.locations.slice(0, 4)) await setRules(app.stack, location.id, RULES)
  answer = await (await app.client().request('POST', '/api/sync', scheduler())).json()
  expected = expectSync(served())
})

afterAll(async () => {
  await pms?.close()
  await app?.close()
})

function served(): ServedLocation[] {
  const order = [...new Set(pms.ledger.entries.map((entry) => entry.slug))]
  return order.map((slug) => {
    const location = group.locations.find((candidate) => candidate.slug === slug)
    const venue = DEMO_VENUES.find((candidate) => candidate.slug === slug)
    const index = group.locations.findIndex((candidate) => candidate.slug === slug)
    const rules = Object.entries(RULES).map(([tier, rule]) => ({ tier, rank: RANKS[tier] ?? 0, ...rule }))
    return {
      locationId: location?.id ?? '',
      averageSpend: venue?.averageSpend ?? 0,
      timezone: venue?.timezone ?? '',
      rules: index < 4 ? rules : [],
      truths: pms.ledger.entries.filter((entry) => entry.slug === slug).flatMap((entry) => entry.truths),
    }
  })
}

const visitsOfGuests = () => expected.reservations.filter(({ customer, visited }) => customer && visited)
const instantOf = ({ date, time, location_id }: { date: string; time: string; location_id: string }) => {
  const { slug } = group.locations.find(({ id }) => id === location_id) ?? {}
  return instant(date, time, DEMO_VENUES.find((venue) => venue.slug === slug)?.timezone ?? '')
}

const rowVersions = () =>
  app.stack.sql(
    `select 'c' as kind, id::text, xmin::text as version from public.customers
     union all select 'r', id::text, xmin::text from public.reservations order by 1, 2`,
  )

describe('a sync of five locations', () => {
  it('leaves exactly what the ledger says: answer, reservations, customers, merges, visits, spend and tiers', async () => {
    expect(expected.reservations.length).toBeGreaterThan(1000)
    expect(answer).toEqual({
      success: true,
      synced: expected.reservations.length,
      created: expected.reservations.length,
      updated: 0,
      locations: served().map(({ locationId, truths }) => ({
        locationId,
        locationName: group.locations.find(({ id }) => id === locationId)?.name,
        count: truths.length,
      })),
      errors: [],
    })

    const customers = await app.stack.sql(
      `select c.email, c.phone, c.first_name as first, c.last_name as last, c.total_visits as visits,
         c.total_spend::float as spend, c.location_id::text, t.name as tier
       from public.customers c left join public.loyalty_tiers t on t.id = c.loyalty_tier_id`,
    )
    const byContact = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
    const shape = (customer: Record<string, unknown>) => {
      const { email, phone, first, last, visits, spend, location_id, tier } = customer
      return { email, phone, first, last, visits, spend: Math.round(Number(spend) * 100), location_id, tier }
    }
    expect(customers.map(shape).sort(byContact)).toEqual(
      expected.customers.map((c) => shape({ ...c })).sort(byContact),
    )
    // The sample holds what makes matching hard: regulars, tiers, families on one phone, bookings without e-mail.
    expect(expected.customers.some((customer) => customer.tier === 'Oro')).toBe(true)
    expect(expected.customers.some((customer) => customer.visits > 3)).toBe(true)
    // Three of the five venues send codes, which have none for a finished visit.
    for (const status of ['confirmed', 'seated', 'completed'])
      expect(expected.reservations.some((row) => row.visited && row.status === status)).toBe(true)
    const phones = expected.customers.flatMap(({ phone }) => phone ?? [])
    expect(new Set(phones).size).toBeLessThan(phones.length)
    expect(expected.customers.some(({ email }) => email === null)).toBe(true)

    const reservations = await app.stack.sql(
      `select r.external_id, r.location_id::text, r.reservation_date::text as date,
         to_char(r.reservation_time, 'HH24:MI') as time, r.party_size, r.status, r.visited, c.email, c.phone
       from public.reservations r left join public.customers c on c.id = r.customer_id`,
    )
    const wanted = expected.reservations.map(({ customer, spend: _, ...reservation }) => ({
      ...reservation,
      email: customer?.email ?? null,
      phone: customer?.phone ?? null,
    }))
    const byId = (a: Record<string, unknown>, b: Record<string, unknown>) =>
      String(a.external_id) < String(b.external_id) ? -1 : 1
    expect(reservations.sort(byId)).toEqual(wanted.sort(byId))
  })

  describe('shows what the ledger says', () => {
    let marketing: Client
    const get = async (path: string) => (await marketing.request('GET', path)).json()
    const day = (ago: number) => addDays(localDate(new Date(), 'Europe/Madrid'), -ago)
    const dayOf = ({ date, time }: { date: string; time: string }) =>
      time < '06:00' ? addDays(date, -1) : date
    const sum = (numbers: number[]) => Math.round(numbers.reduce((all, one) => all + one, 0) * 100) / 100
    beforeAll(async () => {
      marketing = await signedIn(await group.person('marketing'))
    })

    it('in the figures of a period, by location: codes without a word for a finished visit count as well', async () => {
      const [from, to] = [day(25), day(1)]
      const { data } = await get(`/api/stats/overview?from=${from}&to=${to}`)
      for (const { id, slug } of group.locations) {
        const mine = expected.reservations.filter(
          (row) => row.location_id === id && dayOf(row) >= from && dayOf(row) <= to,
        )
        const visits = mine.filter(({ visited }) => visited)
        const revenue = sum(visits.map(({ spend }) => spend))
        expect([slug, visits.length > 50]).toEqual([slug, true])
        expect(data.locations.find((location: { id: string }) => location.id === id)).toMatchObject({
          booked: mine.length,
          reservations: mine.filter(({ status }) => !['cancelled', 'no_show'].includes(status)).length,
          visits: visits.length,
          completed: mine.filter(({ status }) => status === 'completed').length,
          no_shows: mine.filter(({ status }) => status === 'no_show').length,
          cancelled: mine.filter(({ status }) => status === 'cancelled').length,
          revenue,
          estimated_revenue: revenue,
        })
      }
    })

    it('on the pages of the guests who spent most', async () => {
      const { data } = await get('/api/customers?sort=spend&limit=50')
      const most = expected.customers.toSorted((one, other) => other.spend - one.spend).slice(0, 50)
      expect(data.map((guest: { total_spend: number }) => guest.total_spend)).toEqual(
        most.map(({ spend }) => sum([spend])),
      )
      for (const guest of data.slice(0, 5)) {
        const known = expected.customers.find(
          ({ email, phone }) => email === guest.email && phone === guest.phone,
        )
        expect((await get(`/api/customers/${guest.id}`)).data).toMatchObject({
          total_visits: known?.visits,
          total_spend: sum([known?.spend ?? 0]),
          loyalty_tier: known?.tier ? { name: known.tier } : null,
        })
      }
    })

    it.each([
      ['vip_reward', { min_spend: 150 }, () => expected.customers.filter(({ spend }) => spend >= 150).length],
      [
        'reengagement',
        { inactive_days: 10, min_visits: 2 },
        (now: number) =>
          [...Map.groupBy(visitsOfGuests(), ({ customer }) => customer).values()].filter(
            (visits) => visits.length >= 2 && Math.max(...visits.map(instantOf)) < now - 10 * 86_400_000,
          ).length,
      ],
      [
        'post_visit',
        { hours_after: 24, window_hours: 200 },
        (now: number) =>
          visitsOfGuests().filter((visit) => {
            const hours = (now - instantOf(visit)) / 3_600_000
            return hours >= 24 && hours <= 200
          }).length,
      ],
    ])('in the audience of %s', async (type, criteria, count) => {
      const draft = { type, channel: 'email', subject: 'Hola', body: 'Hola', criteria }
      const answer = await marketing.request('POST', '/api/automations/preview', { body: draft })
      const wanted = count(Date.now())
      expect(wanted).toBeGreaterThan(10)
      expect((await answer.json()).data).toMatchObject({ matched: wanted })
    })
  })

  it('writes no row version when nothing changed', async () => {
    const before = await rowVersions()
    const answer = await (await app.client().request('POST', '/api/sync', scheduler())).json()
    expect(answer).toMatchObject({ success: true, created: 0, updated: 0, errors: [] })
    expect(answer.synced).toBeGreaterThan(1000)
    expect(await rowVersions()).toEqual(before)
  })
})
