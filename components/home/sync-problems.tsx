import { useTranslations } from 'next-intl'
import type { LastSync } from '@/lib/overview/last-sync'
import { problemKey } from './problem-key'
import classes from './sync-panel.module.css'
import { SyncProblem } from './sync-problem'

type Issues = LastSync['result']['issues']

const SHOWN = 5

/** What went wrong, in sentences: whole locations first, then by location; the first few at once. */
export function SyncProblems({ issues }: { issues: Issues }) {
  const t = useTranslations('sync')
  if (issues.length === 0) return null
  const sorted = issues.toSorted(
    (a, b) =>
      Number(a.reservation !== null) - Number(b.reservation !== null) || a.location.localeCompare(b.location),
  )
  return (
    <div className={classes.problems}>
      <ProblemList issues={sorted.slice(0, SHOWN)} />
      {sorted.length > SHOWN ? (
        <details>
          <summary>{t('showAll', { count: sorted.length - SHOWN })}</summary>
          <ProblemList issues={sorted.slice(SHOWN)} />
        </details>
      ) : null}
    </div>
  )
}

function ProblemList({ issues }: { issues: Issues }) {
  return (
    <ul className={classes.list}>
      {issues.map((issue, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a finished run's list never changes
        <SyncProblem key={index} issue={issue} problem={problemKey(issue.code)} />
      ))}
    </ul>
  )
}
