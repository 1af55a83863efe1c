import 'server-only'
import { HttpError } from '@/lib/http/errors'
import type { Job, JobContext } from './job'

// Between the signal and giving up: a job that listens ends by itself and tells what it did.
const GRACE_MS = 3000

/**
 * Runs a job within a time budget (milliseconds): its signal aborts shortly before the end, and a job that
 * does not listen is left behind at the end.
 * @throws what the job throws; HttpError 500 when it is left behind.
 */
export async function callJob(
  job: Job,
  { db, now }: Pick<JobContext, 'db' | 'now'>,
  budgetMs: number,
): Promise<object> {
  const abort = new AbortController()
  const timers: ReturnType<typeof setTimeout>[] = []
  const after = (delay: number, act: () => void) => timers.push(setTimeout(act, Math.max(0, delay)))
  const tooLong = new Promise<never>((_, reject) => {
    after(budgetMs - GRACE_MS, () => abort.abort(new Error('The time budget ended')))
    after(budgetMs, () =>
      reject(new HttpError(500, { error: `Not finished after ${Math.round(budgetMs / 1000)} s` })),
    )
  })
  try {
    return await Promise.race([job.run({ db, now, signal: abort.signal }), tooLong])
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}
