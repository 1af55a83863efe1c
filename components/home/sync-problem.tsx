import { useTranslations } from 'next-intl'
import type { LastSync } from '@/lib/overview/last-sync'
import type { ProblemKey } from './problem-key'

interface SyncProblemProps {
  issue: LastSync['result']['issues'][number]
  problem: ProblemKey
}

/** One problem as a sentence that names the location and, when it is about one, the reservation. */
export function SyncProblem({ issue, problem }: SyncProblemProps) {
  const t = useTranslations('sync')
  const { reservation, detail } = issue
  // Rows without an id are known by their place in the answer: `#12`, counted from 0.
  const row = /^#(\d+)$/.exec(reservation ?? '')?.[1]
  const subject = row ? t('row', { position: Number(row) + 1 }) : t('reservation', { id: reservation ?? '' })
  const value = detail === null ? '' : t('value', { detail })
  return (
    <li>
      <strong>{issue.location}:</strong>{' '}
      {t(`problems.${problem}`, { subject, value, count: Number(detail) || 0 })}
    </li>
  )
}
