import 'server-only'
import { serviceDb } from '@/lib/db/service'
import { callJob } from './call-job'
import type { JobName } from './job'
import { runMaster, runMasterParallel } from './master'
import { JOBS } from './registry'

// What an endpoint needs around its job: the platform counts from the request's arrival.
const SLACK_MS = 4000

const context = () => ({ db: serviceDb(), now: new Date() })

/** GET /api/cron/<name>: one job, within its time budget. */
export function answerJob(name: JobName): Promise<object> {
  return callJob(JOBS[name], context(), JOBS[name].budgetSeconds * 1000 - SLACK_MS)
}

/** GET /api/cron/master: all jobs in order, or three at once with `?mode=parallel`. */
export function answerMaster({ mode }: { mode?: string }): Promise<object> {
  return mode === 'parallel' ? runMasterParallel(JOBS, context()) : runMaster(JOBS, context())
}
