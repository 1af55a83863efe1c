import 'server-only'
import { z } from 'zod'
import { boundTo, type Session } from '@/lib/auth/session'
import { liftOfAutomation } from '@/lib/automations/lift'
import { type AutomationOverview, automationsOverview } from '@/lib/automations/results'
import { runOutcomes } from '@/lib/automations/runs'
import { DAY_MS } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { compareVersions, scoreSchema } from './compare'
import { type VersionOutcomes, versionOutcomesSchema } from './outcomes-schema'
import { getCampaign } from './reads'
import type { Campaign, CampaignResults } from './schema'

type Reader = Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>

/**
 * What a campaign did, in the locations the caller works in: its messages, what guests did with each version, the
 * lift over its control group, the reservations credited to it, and the comparison of its versions.
 * @throws HttpError 404 when there is no such campaign that the caller may see.
 */
export async function campaignResults(
  session: Reader,
  id: string,
  now = new Date(),
): Promise<CampaignResults> {
  const campaign = await getCampaign(session, id)
  const ids = campaign.messages.map((message) => message.id)
  const days = Math.ceil((now.getTime() - Date.parse(campaign.created_at)) / DAY_MS) + 1
  const [overview, runs, versions, lift, ab] = await Promise.all([
    automationsOverview(session, ids, days, new Date(now.getTime() + 1)),
    runsOf(session, ids),
    versionsOf(session, id),
    liftOfAutomation(session, id, now),
    campaign.ab && testOf(session, campaign, campaign.ab),
  ])
  const outcomes = await runOutcomes(session, [...runs.values()])
  const messages = campaign.messages.map(({ id: message, step, variant, channel }) => {
    const { delivered = 0, ...counts } = overview.get(message)?.messages ?? {}
    const left_out = (outcomes.get(runs.get(message) ?? '') ?? []).map(({ run_id: _, ...one }) => one)
    return { id: message, step, variant, channel, progress: progressOf(counts), delivered, left_out }
  })
  return { messages, versions, attributed: sumOf([...overview.values()]), lift, ab }
}

const progressOf = ({
  total = 0,
  sent = 0,
  skipped = 0,
  failed = 0,
  pending = 0,
  simulated = 0,
}: Partial<AutomationOverview['messages']>) => ({
  processed: total,
  sent,
  skipped,
  failed,
  pending,
  simulated,
})

/** The run of each message; none before the campaign begins. */
async function runsOf({ db }: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  const found = unwrap(
    await db
      .from('automation_runs')
      .select('id, automation_id')
      .in('automation_id', [...ids]),
  )
  const rows = z.array(z.object({ id: z.string(), automation_id: z.string() })).parse(found)
  return new Map(rows.map((row) => [row.automation_id, row.id]))
}

/** What guests did with each version. */
async function versionsOf(session: Reader, id: string): Promise<VersionOutcomes[]> {
  const parameters = {
    p_organization: session.organization.id,
    p_campaign: id,
    p_locations: (await boundTo(session)) ?? undefined,
  }
  const found = unwrap(await serviceDb().rpc('campaign_versions', parameters))
  return z.array(versionOutcomesSchema).parse(found)
}

function sumOf(rows: readonly AutomationOverview[]): CampaignResults['attributed'] {
  const sum = (field: 'reservations' | 'covers' | 'revenue' | 'estimated_revenue') =>
    rows.reduce((total, row) => total + row[field], 0)
  return {
    reservations: sum('reservations'),
    covers: sum('covers'),
    revenue: sum('revenue'),
    estimated_revenue: sum('estimated_revenue'),
  }
}

async function testOf(
  session: Reader,
  { id, winner, winner_reason }: Campaign,
  { winner_by }: NonNullable<Campaign['ab']>,
): Promise<CampaignResults['ab']> {
  const parameters = {
    p_organization: session.organization.id,
    p_campaign: id,
    p_locations: (await boundTo(session)) ?? undefined,
  }
  const score = scoreSchema.parse(unwrap(await serviceDb().rpc('campaign_score', parameters)))
  return {
    winner_by,
    decides_at: score.decides_at,
    winner,
    winner_reason,
    versions: score.versions,
    ...compareVersions(score),
  }
}
