import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import { log } from '@/lib/log'
import { drainWhile } from '@/lib/messaging/drain'
import type { Providers } from '@/lib/messaging/provider'
import { closedChannels, providersFor } from '@/lib/messaging/providers'
import { isBrokenSegment } from '@/lib/segments/broken'
import { compareVersions, scoreSchema } from './compare'
import type { CampaignStatus } from './limits'

export interface Planning {
  db: Db
  organizationId: string
  now: () => Date
  /** Aborts when the time budget ends: no further part is planned. */
  signal: AbortSignal
}

const plannedSchema = z.object({
  status: z.custom<CampaignStatus>(),
  more: z.boolean(),
  /** The test is over: a winner has to be chosen. */
  decide: z.boolean(),
})

/** Plans what is due of the organization's campaigns. One that fails is logged, and the next one is planned. */
export async function planDueCampaigns(planning: Planning): Promise<void> {
  const { db, organizationId, now, signal } = planning
  const parameters = { p_organization: organizationId, p_now: now().toISOString() }
  const due = z.array(z.string()).parse(unwrap(await db.rpc('due_campaigns', parameters)))
  if (due.length === 0) return
  const providers = await providersFor(db, organizationId)
  for (const campaignId of due) {
    if (signal.aborted) return
    await planCampaign(planning, campaignId, providers).catch((err: unknown) =>
      log().error({ err, campaignId }, 'campaign failed'),
    )
  }
}

/**
 * Plans what is due of a campaign, part by part, and chooses the winner of its test when that is over. One whose segment
 * cannot be read waits, and is logged.
 */
export async function planCampaign(
  { db, organizationId, now, signal }: Planning,
  campaignId: string,
  providers: Providers,
  limit = 10_000,
): Promise<void> {
  if (await waitsForSegment(db, campaignId))
    return log().error({ campaignId }, 'campaign passed over: its segment cannot be read')
  for (;;) {
    const planned = await db.rpc('plan_campaign', {
      p_organization: organizationId,
      p_campaign: campaignId,
      p_now: now().toISOString(),
      p_limit: limit,
      p_closed: closedChannels(providers),
    })
    const { more, decide } = plannedSchema.parse(unwrap(planned))
    if (decide) await decideTest({ db, organizationId, now }, campaignId)
    if (!(more || decide) || signal.aborted) return
  }
}

/** Whether guests are still to be found, by a segment that cannot be read: rather later than to nobody. */
async function waitsForSegment(db: Db, campaignId: string): Promise<boolean> {
  const found = db.from('campaigns').select('segment_id, rest_planned_at').eq('id', campaignId)
  const campaign = unwrap(await found.maybeSingle())
  if (!campaign?.segment_id || campaign.rest_planned_at !== null) return false
  return isBrokenSegment(db, campaign.segment_id)
}

/** Plans a campaign and sends what is due meanwhile, then finishes it when nothing is left. */
export async function sendCampaign(planning: Planning, campaignId: string): Promise<void> {
  const { db, organizationId, now, signal } = planning
  const providers = await providersFor(db, organizationId)
  const plan = () => planCampaign(planning, campaignId, providers)
  await drainWhile(plan(), { db, organizationId, now, signal, providers })
  await plan()
}

async function decideTest(
  { db, organizationId, now }: Omit<Planning, 'signal'>,
  campaignId: string,
): Promise<void> {
  const ids = { p_organization: organizationId, p_campaign: campaignId }
  const answer = await db.rpc('campaign_score', ids)
  if (answer.error) {
    // Where all guests are in the test nothing waits for its winner: the campaign ends without one.
    const ended = unwrap(await db.rpc('choose_winner', { ...ids, p_now: now().toISOString() }))
    if (ended) return log().error({ err: answer.error, campaignId }, 'test without a winner')
  }
  const score = scoreSchema.parse(unwrap(answer))
  const { known, ahead } = compareVersions(score)
  // Without a known difference the remainder gets the one ahead, and the first one when they are equal.
  const winner = { p_winner: ahead ?? 'a', p_reason: known, p_now: now().toISOString() }
  unwrap(await db.rpc('choose_winner', { ...ids, ...winner }))
}
