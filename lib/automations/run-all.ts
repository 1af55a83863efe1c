import 'server-only'
import { unwrap } from '@/lib/db/errors'
import { clockFrom } from '@/lib/jobs/clock'
import { forOrganizations } from '@/lib/jobs/for-organizations'
import type { JobContext } from '@/lib/jobs/job'
import type { JobOutcome } from '@/lib/jobs/run-job'
import { log } from '@/lib/log'
import { drain } from '@/lib/messaging/drain'
import { providersFor } from '@/lib/messaging/providers-for'
import { sweepLeases } from '@/lib/messaging/queue'
import type { AutomationsAnswer, Detail } from './job-schema'
import { finishRun, type RunRequest, startRun } from './run'

const LEASE_SECONDS = 330

interface OrganizationReport {
  total: number
  details: Detail[]
}

/**
 * Runs all active automations one after another, then sends whatever else is due and takes over what dead
 * processes left. One that fails is counted and the next goes on; those the time does not suffice for are in
 * `total`, not in `executed`. All zero while another instance is at it.
 */
export async function runAllAutomations(context: JobContext): Promise<AutomationsAnswer> {
  const options = { job: 'automations', leaseSeconds: LEASE_SECONDS } as const
  const { values } = await forOrganizations(context, options, (id) => runOrganization(context, id))
  const details = values.flatMap((report) => report.details)
  const sum = (field: 'processed' | 'sent' | 'skipped' | 'failed') =>
    details.reduce((total, detail) => total + detail[field], 0)
  return {
    success: true,
    timestamp: context.now.toISOString(),
    total: values.reduce((total, report) => total + report.total, 0),
    executed: details.filter(({ success }) => success).length,
    failed: details.filter(({ success }) => !success).length,
    statistics: {
      totalProcessed: sum('processed'),
      totalSent: sum('sent'),
      totalSkipped: sum('skipped'),
      totalFailed: sum('failed'),
    },
    details,
  }
}

async function runOrganization(
  { db, now, signal }: JobContext,
  organizationId: string,
): Promise<JobOutcome<OrganizationReport>> {
  await sweepLeases(db, now)
  const found = await db
    .from('automations')
    .select('id, name')
    .match({ organization_id: organizationId, status: 'active' })
    .is('deleted_at', null)
    .order('name')
  const automations = unwrap(found) ?? []
  const schedule = { db, organizationId, triggeredBy: 'schedule' as const, now: clockFrom(now), signal }
  const details: Detail[] = []
  for (const { id, name } of automations) {
    if (signal.aborted) break
    details.push(await runOne({ ...schedule, automationId: id }, name))
  }
  await drain({ ...schedule, providers: await providersFor(db, organizationId) })
  const failed = details.filter(({ success }) => !success).length
  const complete = failed === 0 && details.length === automations.length
  const status = complete ? 'succeeded' : failed > 0 && failed === details.length ? 'failed' : 'partial'
  return {
    status,
    result: { total: automations.length, executed: details.length - failed, failed },
    value: { total: automations.length, details },
  }
}

async function runOne(run: RunRequest, automationName: string): Promise<Detail> {
  const { automationId } = run
  const detail = { automationId, automationName, success: true, processed: 0, sent: 0, skipped: 0, failed: 0 }
  try {
    const started = await startRun(run)
    // Switched off or deleted since it was listed.
    if (started.outcome !== 'enqueued') return detail
    const { processed, sent, skipped, failed } = await finishRun(run, started)
    return { ...detail, processed, sent, skipped, failed }
  } catch (err) {
    log().error({ err, automationId }, 'automation failed')
    return { ...detail, success: false }
  }
}
