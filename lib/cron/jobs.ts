import 'server-only'
import { runAllAutomations } from '@/lib/automations/run'
import { hadNothingDue, notifyEvents, remindEvents } from '@/lib/calendar/jobs'
import { learnNightly, scoreCustomers } from '@/lib/customers/score-customers'
import { serviceDb } from '@/lib/db/service'
import { errorText, HttpError } from '@/lib/http/errors'
import { JOB_NAMES, type Job, type JobContext, type JobName } from '@/lib/jobs/job'
import { createKnown } from '@/lib/jobs/known'
import { tidyUp } from '@/lib/jobs/tidy-up'
import { finishRefreshes } from '@/lib/locations/refresh'
import { log } from '@/lib/log'
import { evaluateNightly } from '@/lib/loyalty/recalculate'
import { sendMorningMails } from '@/lib/morning/mail'
import { raiseDueLimits } from '@/lib/organization/pending'
import { checkFigures, foldFigures } from '@/lib/overview/figures'
import { syncForCron } from '@/lib/pms/sync'
import { sendPushNotices } from '@/lib/push/send'
import { closeAllServices } from '@/lib/reservations/close-services'
import { keepNoShowRates } from '@/lib/reservations/no-show-risk'
import { fitRhythms } from '@/lib/rhythm/nightly'
import { notifyTickets, remindTickets } from '@/lib/tickets/jobs'
import { offerAllFreedTables } from '@/lib/waitlist/offer-tables'

/** Every job by its name; the compiler requires all of them. */
export const JOBS: Record<JobName, Job> = {
  sync: { budgetSeconds: 60, run: syncAndNotify },
  'calendar-notifications': {
    budgetSeconds: 60,
    run: notifyEvents,
    nothingDone: (body) => (hadNothingDue(body) ? 'No notifications to send' : undefined),
  },
  'calendar-reminders': { budgetSeconds: 60, run: remindEvents },
  'ticket-notifications': { budgetSeconds: 60, run: notifyTickets },
  'ticket-reminders': { budgetSeconds: 60, run: remindTickets },
  automations: { budgetSeconds: 300, run: automations },
}

/**
 * First the work that messages depend on: closing services (and the morning reports, which count them), recomputing
 * locations and, once a night, tiers and rhythms. Then duplicate detection, the check of the kept figures and the
 * deletion of expired logs, each with a time limit. A failure there does not stop the messages.
 */
async function automations(context: JobContext): Promise<object> {
  // Each lane is about records of its own.
  const lanes: Upkeeps[] = [
    { closeAllServices, sendMorningMails },
    { sendPushNotices },
    { offerTables: () => offerAllFreedTables(context.now, context.known) },
    { raiseDueLimits },
  ]
  await Promise.all(lanes.map((lane) => inTurn(context, lane)))
  await inTurn(context, {
    finishRefreshes,
    evaluateNightly,
    fitRhythms,
    learnNightly,
    scoreCustomers: () => scoreCustomers(context),
    checkFigures,
    foldFigures,
    tidyUp,
  })
  return runAllAutomations(context)
}

type Upkeeps = Record<string, (context: JobContext) => Promise<unknown>>

/** Does these by their names, one after the other; what fails is logged and stops none of the others. */
async function inTurn(context: JobContext, upkeeps: Upkeeps): Promise<void> {
  for (const [name, upkeep] of Object.entries(upkeeps))
    await upkeep(context).catch((err: unknown) => log().error({ err, upkeep: name }, 'upkeep failed'))
}

/**
 * Also sends push notices that earlier calls could not send, because this job runs most often, and notices of a failed
 * sync; folds the figures that the sync has changed; and counts the no-show rates of a new service day.
 */
async function syncAndNotify(context: JobContext): Promise<object> {
  try {
    return await syncForCron(context)
  } finally {
    await inTurn(context, {
      sendPushNotices,
      offerTables: () => offerAllFreedTables(context.now, context.known),
      foldFigures,
      keepNoShowRates,
    })
  }
}

// The platform counts from the request's arrival; the job gets the rest.
const OVERHEAD_MS = 4000

function context() {
  const [db, now] = [serviceDb(), new Date()]
  return { db, now, known: createKnown(db, now) }
}

/**
 * GET /api/cron/<name>: runs one job within its time budget.
 * @returns the job's own body
 * @throws errors of the job; HttpError 500 when it exceeds its budget.
 */
export function handleJobRequest(name: JobName): Promise<object> {
  return callJob(JOBS[name], context(), JOBS[name].budgetSeconds * 1000 - OVERHEAD_MS)
}

/** GET /api/cron/master: runs all jobs in order, or three at once with `?mode=parallel`. */
export function handleMasterRequest({ mode }: { mode?: string }): Promise<object> {
  return mode === 'parallel' ? runMasterParallel(JOBS, context()) : runMaster(JOBS, context())
}

type Jobs = Record<JobName, Job>
type Context = Pick<JobContext, 'db' | 'now' | 'known'>
/** How a job ended: with its body, or with an error message. */
type Outcome = { data: object } | { failure: string }

// The platform ends the function at 300 s; the response has to be sent before.
const MASTER_MS = 290_000
const PARALLEL: readonly JobName[] = ['sync', 'automations', 'calendar-notifications']

/**
 * Runs every job, one after another in the contract's order. A job that fails or hangs is reported in the results and
 * the next one starts. Each gets at most its fair share of the remaining time, so that the last one always runs.
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

/** Runs the three jobs of `?mode=parallel` at once. */
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

// Between the abort signal and giving up: a job that honours the signal still returns its result.
const GRACE_MS = 3000

/**
 * Runs a job within a time budget (milliseconds). Its signal aborts shortly before the end; a job that ignores it is
 * abandoned at the end.
 * @throws errors of the job; HttpError 500 when it is abandoned.
 */
async function callJob(job: Job, context: Context, budgetMs: number): Promise<object> {
  const abort = new AbortController()
  const timers: ReturnType<typeof setTimeout>[] = []
  const after = (delay: number, act: () => void) => timers.push(setTimeout(act, Math.max(0, delay)))
  const tooLong = new Promise<never>((_, reject) => {
    after(budgetMs - GRACE_MS, () => abort.abort(new Error('The time budget ended')))
    after(budgetMs, () =>
      reject(
        new HttpError('JOB_TIMED_OUT', { error: `Not finished after ${Math.round(budgetMs / 1000)} s` }),
      ),
    )
  })
  try {
    return await Promise.race([job.run({ ...context, signal: abort.signal }), tooLong])
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}
