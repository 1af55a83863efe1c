import { useFormatter, useNow, useTranslations } from 'next-intl'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { Panel } from '@/components/ui/panel'
import type { JobRun } from '@/lib/jobs/schema'
import classes from './job-panel.module.css'
import { runState, runWords } from './run-words'

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
