import { automationLift } from '@/lib/automations/lift'
import type { AutomationLift, LiftDifference } from '@/lib/automations/lift-schema'
import { type Group, stackClient } from '../../factories/group'
import { createRandom, type Random } from '../../fakes/pms/random'
import { type Campaign, campaign, drawVisits } from '../../support/drawn-campaigns'
import { addPool, beginOf, overAt } from '../../support/lift-campaigns'
import type { Stack } from '../../support/stack'
import type { Figure } from '../support/figures'

const BATCH = 50
const DAY_MS = 86_400_000

interface Place {
  stack: Stack
  group: Group
}
interface Played extends Campaign {
  found: AutomationLift
  visits: number
}

/** Campaigns with known effects through SQL's sums and the interval; LIFT_SEED draws others. */
export async function campaigns(place: Place, size: number): Promise<Figure[]> {
  const random = createRandom(`lift:${process.env.LIFT_SEED || '1'}`)
  await addPool(place)
  const played: Played[] = []
  while (played.length < size) {
    const drawn = Array.from({ length: Math.min(BATCH, size - played.length) }, () => campaign(random))
    played.push(...(await playBatch(place, drawn, random, played.length)))
    const counts = figuresOf(played).map(({ name, detail }) => `${detail?.split(';')[0]} ${name}`)
    console.log(`${played.length} campaigns: ${counts.join(', ')}`)
  }
  for (const [nth, { found, visits, guests }] of played.entries())
    if (
      found.treated.visits + found.control.visits !== visits ||
      found.treated.guests + found.control.guests !== guests
    )
      throw new Error(`Campaign ${nth}: ${visits} visits of ${guests} guests drawn, ${JSON.stringify(found)}`)
  return figuresOf(played)
}

/** Writes the guests of all campaigns of a batch, and their visits, in one statement each; then compares each campaign. */
async function playBatch(place: Place, drawn: Campaign[], random: Random, first: number): Promise<Played[]> {
  const { stack, group } = place
  const ids = await addAutomations(place, drawn)
  const guests = {
    automation: [] as string[],
    nth: [] as number[],
    held: [] as boolean[],
    share: [] as number[],
    begins: [] as string[],
  }
  const visits = { nth: [] as number[], day: [] as string[], bill: [] as number[], booked: [] as string[] }
  const counts: number[] = []
  for (const [place, one] of drawn.entries()) {
    const begins = beginOf(first + place)
    const before = visits.nth.length
    for (let nth = 1; nth <= one.guests; nth++) {
      const held = random.chance(one.share / 100)
      guests.automation.push(ids[place] ?? '')
      guests.nth.push(nth)
      guests.held.push(held)
      guests.share.push(one.share)
      guests.begins.push(begins.toISOString())
      for (const bill of drawVisits(random, { ...one, rate: one.rate * (held ? 1 : 1 + one.effect) })) {
        visits.nth.push(nth)
        visits.day.push(new Date(begins.getTime() + random.int(2, 29) * DAY_MS).toISOString().slice(0, 10))
        visits.bill.push(bill)
        visits.booked.push(new Date(begins.getTime() + DAY_MS).toISOString())
      }
    }
    counts.push(visits.nth.length - before)
  }
  // Without triggers and foreign keys, which are not measured here.
  await stack.sql('set session_replication_role = replica')
  await stack.sql(
    `insert into private.enrolments (automation_id, customer_id, held, share, enrolled_at)
     select g.automation, c.id, g.held, g.share, g.begins
     from unnest($1::uuid[], $2::int[], $3::bool[], $4::int[], $5::timestamptz[]) as g (automation, nth, held, share, begins)
     join public.customers c on c.total_spend = g.nth`,
    [guests.automation, guests.nth, guests.held, guests.share, guests.begins],
  )
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
       party_size, status, source, total_amount, created_at)
     select $1, $2, c.id, v.day, '21:00', 2, 'completed', 'pms', v.bill, v.booked
     from unnest($3::int[], $4::date[], $5::numeric[], $6::timestamptz[]) as v (nth, day, bill, booked)
     join public.customers c on c.total_spend = v.nth`,
    [group.id, group.locations[0]?.id, visits.nth, visits.day, visits.bill, visits.booked],
  )
  await stack.sql('set session_replication_role = default')
  await stack.sql('analyze private.enrolments, public.reservations')
  const session = {
    db: stackClient(stack, 'service'),
    organization: group.organization,
    ...{ user_id: '00000000-0000-4000-8000-000000000000', role: 'admin' as const },
  }
  const played: Played[] = []
  for (const [place, one] of drawn.entries()) {
    const found = await automationLift(session, ids[place] ?? '', overAt(first + place))
    played.push({ ...one, found, visits: counts[place] ?? 0 })
  }
  return played
}

async function addAutomations({ stack, group }: Place, drawn: Campaign[]): Promise<string[]> {
  const rows = await stack.sql<{ id: string }>(
    `insert into public.automations (organization_id, name, type, channel, body, status, criteria, control_share)
     select $1, gen_random_uuid()::text, 'vip_reward', 'sms', 'Hola', 'active', '{"min_tier": "Oro"}', share from unnest($2::int[]) as share
     returning id::text`,
    [group.id, drawn.map(({ share }) => share)],
  )
  return rows.map(({ id }) => id)
}

function figuresOf(played: readonly Played[]): Figure[] {
  const known = played.filter(({ found }) => found.visits.low !== null && found.revenue.low !== null)
  const coverage = (what: string, holds: (one: Played) => boolean): Figure => {
    const count = known.filter(holds).length
    return {
      name: `intervals of ${what} that contain the true difference`,
      measured: count / known.length,
      unit: 'share',
      least: 0.95,
      bound: 1,
      detail: `${count} of ${known.length}; ${played.length - known.length} campaigns are too small for an interval`,
    }
  }
  const without = played.filter(({ effect }) => effect === 0)
  const winners = without.filter(
    ({ found }) => found.visits.known === 'more' || found.revenue.known === 'more',
  )
  return [
    coverage('visits', ({ found, moreVisits }) => contains(found.visits, moreVisits)),
    coverage('revenue', ({ found, moreRevenue }) => contains(found.revenue, moreRevenue)),
    {
      name: 'campaigns without effect that are called winners, by either',
      measured: winners.length / without.length,
      unit: 'share',
      bound: 0.05,
      detail: `${winners.length} of ${without.length}`,
    },
  ]
}

const contains = ({ low, high }: LiftDifference, truth: number) =>
  low !== null && high !== null && low <= truth && truth <= high
