import { IconRefreshOff } from '@tabler/icons-react'
import { useFormatter, useNow, useTranslations } from 'next-intl'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { EmptyState } from '@/components/ui/empty-state'
import { Panel } from '@/components/ui/panel'
import type { LastSync } from '@/lib/overview/last-sync'
import { SyncCounts } from './sync-counts'
import classes from './sync-panel.module.css'
import { SyncProblems } from './sync-problems'
import { type SyncState, syncState } from './sync-state'

const TONES: Record<SyncState, BadgeTone> = {
  running: 'blue',
  succeeded: 'green',
  partial: 'amber',
  failed: 'red',
  interrupted: 'red',
}

/** When the reservations last came in, how many, and what a manager should know about it. */
export function SyncPanel({ run }: { run: LastSync | null }) {
  const t = useTranslations('sync')
  const format = useFormatter()
  const now = useNow()
  if (!run)
    return (
      <Panel title={t('title')}>
        <EmptyState icon={IconRefreshOff} title={t('never')} text={t('neverText')} />
      </Panel>
    )
  const state = syncState(run, now)
  const instant = new Date(run.finished_at ?? run.started_at)
  return (
    <Panel
      title={t('title')}
      aside={
        <Badge tone={TONES[state]} dot>
          {t(`state.${state}`)}
        </Badge>
      }
    >
      <p className={classes.when}>
        <strong>{format.relativeTime(instant, now)}</strong>
        <time dateTime={instant.toISOString()}>{format.dateTime(instant, 'instant')}</time>
      </p>
      <p className={classes.explanation}>{t(`explanation.${state}`)}</p>
      <SyncProblems issues={run.result.issues} />
      <SyncCounts locations={run.result.locations} />
    </Panel>
  )
}
