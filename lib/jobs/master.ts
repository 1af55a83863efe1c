import 'server-only'
import { errorText } from '@/lib/http/errors'
import { log } from '@/lib/log'
import { callJob } from './call-job'
import { JOB_NAMES, type Job, type JobContext, type JobName } from './job'

type Jobs = Record<JobName, Job>
type Context = Pick<JobContext, 'db' | 'now'>
/** How a job ended: its body, or why it has none. */
type Outcome = { data: object } | { failure: string }

// The platform ends the function at 300 s; the answer has to be out before.
const MASTER_MS = 290_000
const PARALLEL: readonly JobName[] = ['sync', 'automations', 'calendar-notifications']

/**
 * GET /api/cron/master: every job, one after another in the contract's order. One that fails or hangs is
 * reported in the results and the next one goes on. Each gets at most its fair share of the time left, so
 * that the last one has its turn whatever the others do.
 */
export async function runMaster(jobs: Jobs, context: Context) {
  const end = Date.now() + MASTER_MS
  const results: object[] = []
  for (const [index, name] of JOB_NAMES.entries()) {
    const share = (end - Date.now()) / (JOB_NAMES.length - index)
    const outcome = await runOne(jobs[name], name, context, share)
    results.push({ endpoint: `/api/cron/${name}`, ...reported(jobs[name], outcome) })
  }
  return { success: true, master: true, timestamp: context.now.toISOString(), results }
}

/** The same with `?mode=parallel`: three of the jobs at once. */
export async function runMasterParallel(jobs: Jobs, context: Context) {
  const tasks = await Promise.all(
    PARALLEL.map(async (name) => {
      const outcome = await runOne(jobs[name], name, context, MASTER_MS)
      return { name, status: 'failure' in outcome ? 'error' : 'success' }
    }),
  )
  return { executed_at: context.now.toISOString(), tasks }
}

function reported(job: Job, outcome: Outcome): object {
  if ('failure' in outcome) return { error: outcome.failure }
  const nothing = job.nothingDone?.(outcome.data)
  return nothing === undefined ? { status: 200, data: outcome.data } : { error: nothing }
}

async function runOne(job: Job, name: JobName, context: Context, shareMs: number): Promise<Outcome> {
  try {
    return { data: await callJob(job, context, Math.min(job.budgetSeconds * 1000, shareMs)) }
  } catch (error) {
    log().error({ job: name, err: error }, 'job failed')
    return { failure: errorText(error) }
  }
}
