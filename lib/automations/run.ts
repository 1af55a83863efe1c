import 'server-only'
import { z } from 'zod'
import { planDueCampaigns } from '@/lib/campaigns/plan'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import type { JobContext } from '@/lib/jobs/job'
import type { JobOutcome } from '@/lib/jobs/run-job'
import { clockFrom, forOrganizations } from '@/lib/jobs/run-job'
import { log } from '@/lib/log'
import { CHANNELS, type Channel } from '@/lib/messaging/channels'
import { drain, drainWhile } from '@/lib/messaging/drain'
import type { Providers } from '@/lib/messaging/provider'
import { closedChannels, providersFor } from '@/lib/messaging/providers'
import { cancelHeld, type Ends, sumOf, sweepLeases, type Tally } from '@/lib/messaging/queue'
import { isBrokenSegment } from '@/lib/segments/broken'
import { isUuid } from '@/lib/uuid'
import { type AutomationsAnswer, type Detail, RUN_STATUSES } from './schema'

const LEASE_SECONDS = 330

interface OrganizationReport {
  total: number
  details: Detail[]
  /** How messages of automations ended that are no longer active. */
  others: Ends
}

/**
 * Runs all active automations one after another, then sends whatever else is due, also of earlier runs.
 * Leases of dead processes are taken over first. An automation that fails is counted and the next one runs; those that
 * the time budget does not reach are in `total`, not in `executed`. All zero and `skipped` while another instance holds
 * the lease.
 */
export async function runAllAutomations(context: JobContext): Promise<AutomationsAnswer> {
  const options = { job: 'automations', leaseSeconds: LEASE_SECONDS } as const
  const { skipped, values } = await forOrganizations(context, options, (id) => runOrganization(context, id))
  const details = values.flatMap((report) => report.details)
  const others = sumOf(values.map((report) => report.others))
  const ends = sumOf([...details, others])
  return {
    success: true,
    timestamp: context.now.toISOString(),
    total: values.reduce((total, report) => total + report.total, 0),
    executed: details.filter(({ success }) => success).length,
    failed: details.filter(({ success }) => !success).length,
    statistics: {
      totalProcessed: details.reduce((total, { processed }) => total + processed, 0) + countOf(others),
      totalSent: ends.sent,
      totalSkipped: ends.skipped,
      totalFailed: ends.failed,
    },
    details,
    ...(skipped ? { skipped } : {}),
  }
}

async function runOrganization(
  { db, now, signal }: JobContext,
  organizationId: string,
): Promise<JobOutcome<OrganizationReport>> {
  const listed = db
    .from('automations')
    .select('id, name, channel, fallback_channel, segment:criteria->>segment_id')
    .match({ organization_id: organizationId, status: 'active' })
    .is('deleted_at', null)
    .is('campaign_id', null)
    .order('name')
  const swept = sweepLeases(db, now).then(() => cancelHeld(db, organizationId, now, signal))
  const [found] = await Promise.all([listed, swept])
  const automations = z.array(listedSchema).parse(unwrap(found) ?? [])
  const schedule = { db, organizationId, triggeredBy: 'schedule' as const, now: clockFrom(now), signal }
  const planCampaigns = () => planDueCampaigns({ db, organizationId, now: schedule.now, signal })
  await planCampaigns()
  const resumed = await finishPlans(schedule)
  const results: RunResult[] = []
  for (const { id, name, segment, channel, fallback_channel } of automations) {
    if (signal.aborted) break
    // Of the automation's other channels there may be older messages: they leave with all the rest.
    const channels = CHANNELS.filter((one) => one === channel || one === fallback_channel)
    results.push(await runOne({ ...schedule, automationId: id, segment, channels }, name))
  }
  const providers = await providersFor(db, organizationId)
  const tally = [...resumed, ...(await drain({ ...schedule, providers }))]
  await planCampaigns()
  const details = results.map((one) => withLaterMessages(one, tally))
  const active = new Set(details.map(({ automationId }) => automationId))
  const failed = details.filter(({ success }) => !success).length
  const complete = failed === 0 && details.length === automations.length
  const status = complete ? 'succeeded' : failed > 0 && failed === details.length ? 'failed' : 'partial'
  return {
    status,
    result: { total: automations.length, executed: details.length - failed, failed },
    value: {
      total: automations.length,
      details,
      others: sumOf(tally.filter(({ automation_id }) => !active.has(automation_id))),
    },
  }
}

const listedSchema = z.object({
  id: z.string(),
  name: z.string(),
  channel: z.string(),
  fallback_channel: z.string().nullable(),
  segment: z.string().nullable(),
})

const unplannedSchema = z.array(
  z.object({ id: z.string(), automation_id: z.string(), triggered_by: z.enum(['manual', 'schedule']) }),
)

/** Plans the rest of runs whose process ended while it planned them, and sends it meanwhile. */
export async function finishPlans(request: Omit<RunRequest, 'automationId' | 'triggeredBy'>): Promise<Tally> {
  const { db, organizationId, signal } = request
  const found = await db
    .from('automation_runs')
    .select('id, automation_id, triggered_by')
    .match({ organization_id: organizationId, planning: true })
    .not('automation_id', 'is', null)
    .order('started_at')
  const tally: Tally = []
  for (const { id, automation_id, triggered_by } of unplannedSchema.parse(unwrap(found) ?? [])) {
    if (signal.aborted) break
    const run = { ...request, automationId: automation_id, triggeredBy: triggered_by }
    const started = { outcome: 'enqueued', run_id: id, more: true } as const
    await planAndSend(run, started).then(
      (sent) => tally.push(...sent),
      (err: unknown) => log().error({ err, runId: id }, 'the rest of a run was not planned'),
    )
  }
  return tally
}

const countOf = ({ sent, skipped, failed }: Ends) => sent + skipped + failed

interface RunResult {
  detail: Detail
  runId?: string
}

/** An automation's counts with what was sent of it afterwards; what its run had left is among the processed already. */
function withLaterMessages({ detail, runId }: RunResult, tally: Tally): Detail {
  const more = tally.filter(({ automation_id }) => automation_id === detail.automationId)
  const earlier = sumOf(more.filter(({ run_id }) => run_id !== runId))
  return { ...detail, ...sumOf([detail, ...more]), processed: detail.processed + countOf(earlier) }
}

async function runOne(request: RunRequest, automationName: string): Promise<RunResult> {
  const { automationId } = request
  const detail = { automationId, automationName, success: true, processed: 0, sent: 0, skipped: 0, failed: 0 }
  try {
    const run = { ...request, providers: await providersFor(request.db, request.organizationId) }
    const started = await startRun(run)
    if (started.outcome === 'broken_segment') {
      log().error({ automationId }, 'automation passed over: its segment cannot be read')
      return { detail: { ...detail, success: false } }
    }
    // Switched off or deleted since it was listed.
    if (started.outcome !== 'enqueued') return { detail }
    const { processed, sent, skipped, failed } = await finishRun(run, started)
    return { detail: { ...detail, processed, sent, skipped, failed }, runId: started.run_id }
  } catch (err) {
    log().error({ err, automationId }, 'automation failed')
    return { detail: { ...detail, success: false } }
  }
}

const enqueuedSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('enqueued'), run_id: z.string(), more: z.boolean() }),
  z.object({ outcome: z.literal('inactive') }),
  z.object({ outcome: z.literal('stopped') }),
  z.object({ outcome: z.literal('unknown') }),
])
type Enqueued = z.infer<typeof enqueuedSchema>
type Started = Extract<Enqueued, { outcome: 'enqueued' }>

const reportSchema = z.object({
  processed: z.number(),
  sent: z.number(),
  skipped: z.number(),
  failed: z.number(),
  pending: z.number(),
  status: z.enum(RUN_STATUSES),
  paused_by: z.string().nullable(),
  problems: z.array(
    z.object({
      status: z.enum(['failed', 'unknown']),
      channel: z.string(),
      reason: z.string().nullable(),
      messages: z.number(),
    }),
  ),
})
/** What running an automation did: processed = sent + skipped + failed + pending. */
export type RunReport = z.infer<typeof reportSchema>

export interface RunRequest {
  db: Db
  organizationId: string
  automationId: string
  triggeredBy: 'manual' | 'schedule'
  /** The person who runs it by hand, and cannot approve it. */
  personId?: string
  now: () => Date
  signal: AbortSignal
  /** Instead of the organization's integrations. */
  providers?: Providers
  /** The id of its segment, null without one; read when absent. */
  segment?: string | null
  /** Sends only by these channels; by all when absent. */
  channels?: readonly Channel[]
}

/**
 * Starts a run: its log row, its event and the first messages, in one transaction. `unknown` also for a malformed
 * id and for another organization's; `stopped` while all sending is; `broken_segment` when its segment cannot be read.
 */
export async function startRun(request: Omit<RunRequest, 'signal'>): Promise<Enqueued | BrokenSegment> {
  if (!isUuid(request.automationId)) return { outcome: 'unknown' }
  if (await hasBrokenSegment(request)) return { outcome: 'broken_segment' }
  return enqueue(request, request.providers ?? (await providersFor(request.db, request.organizationId)))
}

interface BrokenSegment {
  outcome: 'broken_segment'
}

async function hasBrokenSegment(request: Omit<RunRequest, 'signal'>) {
  const { db, organizationId, automationId } = request
  let { segment } = request
  if (segment === undefined) {
    const mine = { id: automationId, organization_id: organizationId }
    const found = db.from('automations').select('segment:criteria->>segment_id').match(mine)
    segment = unwrap(await found.maybeSingle())?.segment
  }
  return isUuid(segment ?? '') && (await isBrokenSegment(db, segment ?? ''))
}

/**
 * Finishes a started run, or what the time budget allows of it: plans the rest of a large audience and sends, also
 * what is due of the automation's earlier runs. A later job goes on where it ended.
 * @returns what this call did: the run's counts, and how messages of earlier runs ended
 */
export async function finishRun(request: RunRequest, started: Started): Promise<RunReport> {
  const tally = await planAndSend(request, started)
  const answer = await request.db.rpc('run_report', { p_run: started.run_id })
  const report = reportSchema.parse(unwrap(answer))
  const earlier = sumOf(tally.filter(({ run_id }) => run_id !== started.run_id))
  return {
    ...report,
    ...sumOf([report, earlier]),
    processed: report.processed + earlier.sent + earlier.skipped + earlier.failed,
  }
}

/** Plans the rest of a run part by part, and sends what is due of its automation meanwhile. */
async function planAndSend(request: RunRequest, started: Started): Promise<Tally> {
  const { db, organizationId, automationId, now, signal, channels } = request
  const providers = request.providers ?? (await providersFor(db, organizationId))
  async function plan(): Promise<void> {
    let part: Enqueued = started
    while (part.outcome === 'enqueued' && part.more && !signal.aborted)
      part = await enqueue(request, providers, started.run_id)
  }
  return drainWhile(plan(), { db, organizationId, now, signal, providers, automationId, channels })
}

/** Sends what is due of a run. */
export async function sendRun(
  { db, organizationId, now, signal }: Omit<RunRequest, 'automationId' | 'triggeredBy' | 'personId'>,
  runId: string,
): Promise<void> {
  const providers = await providersFor(db, organizationId)
  await drain({ db, organizationId, now, signal, providers, runId })
}

async function enqueue(
  { db, organizationId, automationId, triggeredBy, personId, now }: Omit<RunRequest, 'signal'>,
  providers: Providers,
  runId?: string,
): Promise<Enqueued> {
  const parameters = {
    p_organization: organizationId,
    p_automation: automationId,
    p_triggered_by: triggeredBy,
    p_now: now().toISOString(),
    p_run: runId,
    p_closed: closedChannels(providers),
    p_person: personId,
  }
  return enqueuedSchema.parse(unwrap(await db.rpc('enqueue_run', parameters)))
}
