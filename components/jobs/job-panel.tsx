import { type Messages, useFormatter, useNow, useTranslations } from 'next-intl'
import { z } from 'zod'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { Panel } from '@/components/ui/panel'
import type { JobRun } from '@/lib/jobs/job'
import classes from './job-panel.module.css'

const TONES: Record<JobRun['status'], BadgeTone> = {
  running: 'blue',
  succeeded: 'green',
  partial: 'amber',
  failed: 'red',
}

interface JobPanelProps {
  title: string
  text: string
  runs: readonly JobRun[]
}

/** A job and its last runs, the latest first. */
export function JobPanel({ title, text, runs }: JobPanelProps) {
  const t = useTranslations('settings.jobs')
  const format = useFormatter()
  const now = useNow()
  return (
    <Panel title={title} flush>
      <p className={classes.text}>{text}</p>
      {runs.length === 0 ? <p className={classes.never}>{t('never')}</p> : null}
      <ul className={classes.runs} aria-label={t('runs', { job: title })}>
        {runs.map((run) => {
          const state = runState(run, now)
          const { key, values } = runWords({ ...run, status: state })
          const started = new Date(run.started_at)
          const seconds = run.finished_at ? (Date.parse(run.finished_at) - started.getTime()) / 1000 : null
          return (
            <li key={run.id}>
              <time dateTime={run.started_at} className={classes.when}>
                {format.dateTime(started, 'instant')}
              </time>
              <span className={classes.words}>
                {t(`counts.${key}`, values)}
                {seconds === null ? null : (
                  <span className={classes.took}>
                    {' '}
                    · {t('took', { seconds: Math.max(1, Math.round(seconds)) })}
                  </span>
                )}
              </span>
              <Badge tone={TONES[state]} dot>
                {t(`status.${state}`)}
              </Badge>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

/** The text key under `settings.jobs.counts` that sums up a run, and its numbers. */
interface RunWords {
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
  scored: count,
  fitted: count,
  mended: count,
  steps: count,
  error: z.string().optional().catch(undefined),
  reason: z.string().optional().catch(undefined),
})

/** Sums up the stored result of a run, which may come from another version. */
function runWords({ job, status, result }: JobRun): RunWords {
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
  if (job === 'identity') return words('identity', parsed.scored)
  if (job === 'identity-weights') return words('identity-weights', parsed.steps > 1 ? 1 : 0)
  if (job === 'rhythm') return words('rhythm', parsed.fitted)
  if (job === 'figures') return words('figures', parsed.mended)
  return words('messages', parsed.queued, 0, parsed.failed)
}

// Longer than any run may take: a run that is still marked as running after that has died.
const LONGEST_RUN_MS = 310_000

/** The status of a run; one whose process died counts as failed. */
function runState({ status, started_at }: JobRun, now: Date): JobRun['status'] {
  const dead = status === 'running' && now.getTime() - Date.parse(started_at) > LONGEST_RUN_MS
  return dead ? 'failed' : status
}
