import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { boundTo } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import { differenceOf, type Stratum, type Sums, total } from './difference'
import { type AutomationLift, LIFT_MINIMUM, type LiftDifference } from './lift-schema'
import { getAutomation } from './reads'

const statisticsSchema = z.object({
  automation_id: z.string(),
  days: z.number(),
  control_share: z.number(),
  waiting: z.number(),
  arms: z.array(
    z.object({
      share: z.number(),
      held: z.boolean(),
      guests: z.number(),
      came: z.number(),
      visits: z.number(),
      visits_squared: z.number(),
      revenue: z.number(),
      revenue_squared: z.number(),
      estimated_revenue: z.number(),
    }),
  ),
})
/** What the SQL function lifts_of_automations answers of one automation. */
export type LiftStatistics = Omit<z.infer<typeof statisticsSchema>, 'automation_id'>
type Arm = LiftStatistics['arms'][number]
type Reader = Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>

/**
 * The visits and revenue of the guests an automation wrote to and of its control group, in the caller's locations, in
 * the 30 days after each guest began; and their difference.
 * @throws HttpError 404 when there is no such automation that the caller may see.
 */
export async function automationLift(
  session: Reader,
  automationId: string,
  now = new Date(),
): Promise<AutomationLift> {
  const { id } = await getAutomation(session, automationId)
  return liftOfAutomation(session, id, now)
}

/** The same for an automation, or for a campaign by its id, that the caller may see. */
export async function liftOfAutomation(session: Reader, id: string, now: Date): Promise<AutomationLift> {
  const lift = (await liftsOfAutomations(session, [id], now)).get(id)
  // It was deleted meanwhile.
  if (!lift) throw new HttpError('NOT_FOUND')
  return lift
}

/** The same for automations and campaigns, at most 200, that the caller may see, in one query; by their id. */
export async function liftsOfAutomations(
  session: Reader,
  ids: readonly string[],
  now = new Date(),
): Promise<Map<string, AutomationLift>> {
  if (ids.length === 0) return new Map()
  const parameters = {
    p_organization: session.organization.id,
    p_automations: [...ids],
    p_now: now.toISOString(),
    p_locations: (await boundTo(session)) ?? undefined,
  }
  const found = unwrap(await serviceDb().rpc('lifts_of_automations', parameters))
  const rows = z.array(statisticsSchema).parse(found)
  return new Map(rows.map(({ automation_id, ...statistics }) => [automation_id, liftOf(statistics)]))
}

/** Adds up the arms to both groups and compares them: difference and interval, or why there is none yet. */
export function liftOf({ arms, ...standing }: LiftStatistics): AutomationLift {
  const [treated, control] = [groupOf(arms, false), groupOf(arms, true)]
  const compare = (sums: (arm: Arm) => Sums): LiftDifference => {
    const unknown = { per_thousand: null, low: null, high: null }
    if (control.guests === 0) return { known: 'no_control', ...unknown }
    if (treated.guests === 0) return { known: 'no_treated', ...unknown }
    const few = Math.min(treated.guests, control.guests) < LIFT_MINIMUM.guests
    if (few || treated.visits + control.visits < LIFT_MINIMUM.visits) return { known: 'too_few', ...unknown }
    const found = differenceOf(strataOf(arms, sums))
    if (!found) return { known: 'too_few', ...unknown }
    return { known: found.low > 0 ? 'more' : found.high < 0 ? 'less' : 'unclear', ...found }
  }
  return {
    ...standing,
    treated,
    control,
    visits: compare((arm) => ({ guests: arm.guests, sum: arm.visits, squares: arm.visits_squared })),
    revenue: compare((arm) => ({ guests: arm.guests, sum: arm.revenue, squares: arm.revenue_squared })),
  }
}

function groupOf(arms: readonly Arm[], held: boolean) {
  const group = { guests: 0, came: 0, visits: 0, revenue: 0, estimated_revenue: 0 }
  for (const arm of arms) {
    if (arm.held !== held) continue
    group.guests += arm.guests
    group.came += arm.came
    group.visits += arm.visits
    group.revenue += arm.revenue
    group.estimated_revenue += arm.estimated_revenue
  }
  return group
}

/** The arms by share: guests drawn with different shares must not be mixed. */
function strataOf(arms: readonly Arm[], sums: (arm: Arm) => Sums): Stratum[] {
  const of = (share: number, held: boolean) =>
    total(arms.filter((arm) => arm.share === share && arm.held === held).map(sums))
  const shares = [...new Set(arms.map(({ share }) => share))]
  return shares.map((share) => ({ treated: of(share, false), control: of(share, true) }))
}
