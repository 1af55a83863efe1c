import { getFormatter, getTranslations } from 'next-intl/server'
import { Panel } from '@/components/ui/panel'
import type { Session } from '@/lib/auth/session'
import { runToApprove } from '@/lib/automations/runs'
import type { AutomationRun } from '@/lib/automations/schema'
import { CHANNELS } from '@/lib/messaging/channels'
import classes from './run.module.css'
import { DecideButtons } from './run-watch'

/** A large send that waits for approval: who asked, the number of recipients, the channel, and a sample. */
export async function WaitingRun({ session, run }: { session: Session; run: AutomationRun }) {
  const [t, names, format, { channels, sample }] = await Promise.all([
    getTranslations('automations.waiting'),
    getTranslations('client.automations.channels'),
    getFormatter(),
    runToApprove(session, run.id),
  ])
  const own = run.started_by === session.user_id
  const by = CHANNELS.flatMap((channel) => {
    const count = channels[channel] ?? 0
    return count > 0 ? [t('channel', { count, channel: names(channel) })] : []
  })
  return (
    <Panel title={t('title')}>
      <div className={classes.waiting}>
        <p className={classes.asked}>
          {run.started_by_name
            ? t('asked', { who: run.started_by_name, count: run.guests ?? 0 })
            : t('scheduled', { count: run.guests ?? 0 })}
        </p>
        <p>{by.join(' · ')}</p>
        {run.expires_at ? (
          <p className={classes.hint}>
            {t('until', { when: format.dateTime(new Date(run.expires_at), 'instant') })}
          </p>
        ) : null}
        {sample ? (
          <figure className={classes.sample}>
            <figcaption className={classes.hint}>{t('sample')}</figcaption>
            {sample.subject ? <strong>{sample.subject}</strong> : null}
            <p className={classes.body}>{sample.body}</p>
          </figure>
        ) : (
          <p className={classes.hint}>{t('noSample')}</p>
        )}
        {own ? <p className={classes.hint}>{t('own')}</p> : null}
        <DecideButtons run={run} own={own} />
      </div>
    </Panel>
  )
}
