import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { clockFrom } from '@/lib/jobs/clock'
import { forOrganizations } from '@/lib/jobs/for-organizations'
import type { JobContext } from '@/lib/jobs/job'
import type { JobOutcome } from '@/lib/jobs/run-job'
import { log } from '@/lib/log'
import { drain } from '@/lib/messaging/drain'
import { providersFor } from '@/lib/messaging/providers-for'
import { cancelHeld, sweepLeases } from '@/lib/messaging/queue'
import { type Ends, sumOf, type Tally } from '@/lib/messaging/tally'
import type { AutomationsAnswer, Detail } from './job-schema'
import { finishRun, type RunRequest, startRun } from './run'

const LEASE_SECONDS = 330

interface OrganizationReport {
  total: number
  details: Detail[]
  /** How messages ended whose automation is active no more. */
  orphans: Ends
}

/**
 * Runs all active automations one after another, then sends whatever else is due and takes over what dead
 * processes left: held back earlier and sent now is sent now. One that fails is counted and the next goes on; those
 * the time does not suffice for are in `total`, not in `executed`. All zero while another instance is at it.
 */
export async function runAllAutomations(context: JobContext): Promise<AutomationsAnswer> {
  const options = { job: 'automations', leaseSeconds: LEASE_SECONDS } as const
  const { values } = await forOrganizations(context, options, (id) => runOrganization(context, id))
  const details = values.flatMap((report) => report.details)
  const orphans = sumOf(values.map((report) => report.orphans))
  const ends = sumOf([...details, orphans])
  return {
    success: true,
    timestamp: context.now.toISOString(),
    total: values.reduce((total, report) => total + report.total, 0),
    executed: details.filter(({ success }) => success).length,
    failed: details.filter(({ success }) => !success).length,
    statistics: {
      totalProcessed: details.reduce((total, { processed }) => total + processed, 0) + countOf(orphans),
      totalSent: ends.sent,
      totalSkipped: ends.skipped,
      totalFailed: ends.failed,
    },
    details,
  }
}

async function runOrganization(
  { db, now, signal }: JobContext,
  organizationId: string,
): Promise<JobOutcome<OrganizationReport>> {
  await sweepLeases(db, now)
  await cancelHeld(db, organizationId, now, signal)
  const found = await db
    .from('automations')
    .select('id, name')
    .match({ organization_id: organizationId, status: 'active' })
    .is('deleted_at', null)
    .order('name')
  const automations = unwrap(found) ?? []
  const schedule = { db, organizationId, triggeredBy: 'schedule' as const, now: clockFrom(now), signal }
  const ran: Ran[] = []
  for (const { id, name } of automations) {
    if (signal.aborted) break
    ran.push(await runOne({ ...schedule, automationId: id }, name))
  }
  const tally = await drain({ ...schedule, providers: await providersFor(db, organizationId) })
  const details = ran.map((one) => withMore(one, tally))
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
      orphans: sumOf(tally.filter(({ automation_id }) => !active.has(automation_id))),
    },
  }
}

const countOf = ({ sent, skipped, failed }: Ends) => sent + skipped + failed

interface Ran {
  detail: Detail
  runId?: string
}

/** An automation's counts with what was sent of it afterwards; what its run had left is among the processed already. */
function withMore({ detail, runId }: Ran, tally: Tally): Detail {
  const more = tally.filter(({ automation_id }) => automation_id === detail.automationId)
  const earlier = sumOf(more.filter(({ run_id }) => run_id !== runId))
  return { ...detail, ...sumOf([detail, ...more]), processed: detail.processed + countOf(earlier) }
}

async function runOne(run: RunRequest, automationName: string): Promise<Ran> {
  const { automationId } = run
  const detail = { automationId, automationName, success: true, processed: 0, sent: 0, skipped: 0, failed: 0 }
  try {
    const started = await startRun(run)
    // Switched off or deleted since it was listed.
    if (started.outcome !== 'enqueued') return { detail }
    const { processed, sent, skipped, failed } = await finishRun(run, started)
    return { detail: { ...detail, processed, sent, skipped, failed }, runId: started.run_id }
  } catch (err) {
    log().error({ err, automationId }, 'automation failed')
    return { detail: { ...detail, success: false } }
  }
}
