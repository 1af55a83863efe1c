import { z } from 'zod'
import type { Db } from '@/lib/db/types'
import { instant } from '@/lib/http/instant'
import type { Known } from './known'

/** Every scheduled job, in the master's order; `/api/cron/<name>` runs one. */
export const JOB_NAMES = [
  'sync',
  'calendar-notifications',
  'calendar-reminders',
  'ticket-notifications',
  'ticket-reminders',
  'automations',
] as const
export type JobName = (typeof JOB_NAMES)[number]

/** The arguments of a job. */
export interface JobContext {
  /** The service client. */
  db: Db
  now: Date
  /** What the jobs of this call have in common; without it each asks for itself. */
  known?: Known
  /** Aborts shortly before the time budget ends: then start no further work. */
  signal: AbortSignal
}

/** A job: its time budget when it runs alone, and its work, which returns the endpoint's body. */
export interface Job {
  budgetSeconds: number
  run: (context: JobContext) => Promise<object>
  /** The text that the master reports as `error` for a run with nothing to do, where the contract asks for one. */
  nothingDone?: (body: object) => string | undefined
}

export const jobRunSchema = z
  .object({
    id: z.string(),
    job: z.string(),
    status: z.enum(['running', 'succeeded', 'partial', 'failed']),
    started_at: instant,
    finished_at: instant.nullable(),
    result: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'JobRun' })
export type JobRun = z.infer<typeof jobRunSchema>
