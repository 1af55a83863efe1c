import type { Db } from '@/lib/db/types'

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

/** What a job works with. */
export interface JobContext {
  /** The service client. */
  db: Db
  now: Date
  /** Aborts when the time budget ends: stop taking on work, keep what is done. */
  signal: AbortSignal
}

/** A job: its work, which gives the endpoint's body, and the seconds it may take by itself. */
export interface Job {
  budgetSeconds: number
  run: (context: JobContext) => Promise<object>
  /** The text the master reports as `error` when the run had nothing to do, where the contract wants one. */
  nothingDone?: (body: object) => string | undefined
}
