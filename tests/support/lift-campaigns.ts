import { automationLift } from '@/lib/automations/lift'
import type { AutomationLift } from '@/lib/automations/lift-schema'
import { type Group, stackClient } from '../factories/group'
import { createAutomation } from '../factories/messaging'
import type { Random } from '../fakes/pms/random'
import { type Campaign, drawVisits } from './drawn-campaigns'
import type { Stack } from './stack'

/** The most guests of a campaign. */
const POOL = 2000
/** From the begin of a campaign to its comparison. */
const CAMPAIGN_DAYS = 33
const DAY_MS = 86_400_000
const START = new Date('2026-01-07T11:00:00Z')

/** When the nth campaign begins. Each has its own 33 days, so that no visit counts in two. */
export const beginOf = (nth: number) => new Date(START.getTime() + nth * CAMPAIGN_DAYS * DAY_MS)
/** When the days of all guests of the nth campaign are over. */
export const overAt = (nth: number) => beginOf(nth + 1)

interface Place {
  stack: Stack
  group: Group
}

/** What the visits of one group were drawn to be. */
export interface DrawnSums {
  came: number
  visits: number
  revenue: number
}

/** Adds the guests of all campaigns: the nth has spent n EUR, so that the spend limits how many a campaign takes. */
export async function addPool({ stack, group }: Place): Promise<void> {
  await stack.sql('update public.organizations set frequency_cap_days = 0')
  await stack.sql(
    `insert into public.customers (organization_id, location_id, email, total_spend, total_visits)
     select $1, $2, 'g' || n || '@example.com', n, 1 from generate_series(1, ${POOL}) n`,
    [group.id, group.locations[0]?.id],
  )
  await stack.sql('analyze public.customers')
}

/**
 * Plays the nth campaign: plans its run, gives both groups the visits that are drawn for them, and compares the groups
 * once their days are over.
 */
export async function playCampaign(
  { stack, group }: Place,
  drawn: Campaign,
  random: Random,
  nth: number,
): Promise<{ found: AutomationLift; treated: DrawnSums; control: DrawnSums }> {
  const begins = beginOf(nth)
  const service = stackClient(stack, 'service')
  const automation = await createAutomation(stack, group.id, {
    type: 'vip_reward',
    criteria: { min_spend: POOL + 1 - drawn.guests },
    control_share: drawn.share,
  })
  const run = { p_organization: group.id, p_automation: automation, p_triggered_by: 'manual' }
  await service.rpc('enqueue_run', { ...run, p_now: begins.toISOString() }).throwOnError()
  const enrolled = await stack.sql<{ id: string; held: boolean }>(
    'select customer_id::text as id, held from private.enrolments where automation_id = $1 order by 1',
    [automation],
  )
  const treated = { came: 0, visits: 0, revenue: 0 }
  const control = { came: 0, visits: 0, revenue: 0 }
  const rows: { id: string; day: string; bill: number }[] = []
  for (const { id, held } of enrolled) {
    const bills = drawVisits(random, { ...drawn, rate: drawn.rate * (held ? 1 : 1 + drawn.effect) })
    const sums = held ? control : treated
    sums.came += bills.length > 0 ? 1 : 0
    sums.visits += bills.length
    for (const bill of bills) {
      sums.revenue += bill
      const day = new Date(begins.getTime() + random.int(2, 29) * DAY_MS).toISOString().slice(0, 10)
      rows.push({ id, day, bill })
    }
  }
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
       party_size, status, source, total_amount, created_at)
     select $1, $2, id, day, '21:00', 2, 'completed', 'pms', bill, $4
     from jsonb_to_recordset($3::jsonb) as r (id uuid, day date, bill numeric)`,
    [group.id, group.locations[0]?.id, JSON.stringify(rows), new Date(begins.getTime() + DAY_MS)],
  )
  const session = {
    db: service,
    organization: group.organization,
    ...{ user_id: '00000000-0000-4000-8000-000000000000', role: 'admin' as const },
  }
  return { found: await automationLift(session, automation, overAt(nth)), treated, control }
}
