import { useTranslations } from 'next-intl'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { Panel } from '@/components/ui/panel'
import type { ReplicaHealth } from '@/lib/db/replica-watch'
import classes from './job-panel.module.css'

const TONES: Record<ReplicaHealth['state'], BadgeTone> = {
  unknown: 'neutral',
  used: 'green',
  late: 'amber',
  gone: 'red',
  no_standby: 'red',
}

/** The read replica as the process that renders the page sees it: its state and its lag. */
export function ReplicaPanel({ health: { state, lagMs } }: { health: ReplicaHealth }) {
  const t = useTranslations('settings.jobs.replica')
  return (
    <Panel
      title={t('title')}
      aside={
        <Badge tone={TONES[state]} dot>
          {t(`states.${state}`)}
        </Badge>
      }
      flush
    >
      <p className={classes.text}>{t('text')}</p>
      <p className={classes.text}>
        {t(`explained.${state}`)} {lagMs === null ? null : t('lag', { seconds: Math.ceil(lagMs / 1000) })}
      </p>
    </Panel>
  )
}
