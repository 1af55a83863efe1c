import type { Messages } from 'next-intl'
import { z } from 'zod'
import type { JobRun } from '@/lib/jobs/schema'

/** What a run's counts say: the sentence under `settings.jobs.counts` and its numbers. */
export interface RunWords {
  key: keyof Messages['settings']['jobs']['counts']
  values: { done: number; changed: number; problems: number }
}

const count = z.number().catch(0)
const list = z.array(z.looseObject({ count, created: count, updated: count })).catch([])
const resultSchema = z.object({
  locations: list,
  issues: z.array(z.unknown()).catch([]),
  queued: count,
  failed: count,
  total: count,
  executed: count,
  evaluated: count,
  upgraded: count,
  empty_runs: count,
  automation_runs: count,
  job_runs: count,
  webhook_receipts: count,
  failed_rows: count,
  error: z.string().optional().catch(undefined),
  reason: z.string().optional().catch(undefined),
})

/** What a run did, read from its stored result, which may come from another version. */
export function runWords({ job, status, result }: JobRun): RunWords {
  const parsed = resultSchema.parse(result)
  const words = (key: RunWords['key'], done = 0, changed = 0, problems = 0): RunWords => ({
    key,
    values: { done, changed, problems },
  })
  if (status === 'running') return words('running')
  if (parsed.error !== undefined) return words('stopped')
  if (job === 'sync') {
    const sum = (field: 'count' | 'created' | 'updated') =>
      parsed.locations.reduce((total, location) => total + location[field], 0)
    return words('sync', sum('count'), sum('created') + sum('updated'), parsed.issues.length)
  }
  if (job === 'automations') return words('automations', parsed.executed, parsed.total, parsed.failed)
  if (job === 'loyalty') return words('loyalty', parsed.evaluated, parsed.upgraded)
  if (parsed.reason === 'no_provider') return words('noProvider')
  if (job === 'tidy-up') {
    const { empty_runs, automation_runs, job_runs, webhook_receipts, failed_rows } = parsed
    return words('tidy-up', empty_runs + automation_runs + job_runs + webhook_receipts + failed_rows)
  }
  return words('messages', parsed.queued, 0, parsed.failed)
}

// Longer than any run may take: whatever claims to run since then has died.
const LONGEST_RUN_MS = 310_000

/** How a run stands, telling one that died from one that still goes on. */
export function runState({ status, started_at }: JobRun, now: Date): JobRun['status'] {
  const dead = status === 'running' && now.getTime() - Date.parse(started_at) > LONGEST_RUN_MS
  return dead ? 'failed' : status
}
