import { useFormatter, useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import { Panel } from '@/components/ui/panel'
import type { customerReach } from '@/lib/customers/reachability'
import classes from './reach-panel.module.css'

type ReachPanelProps = Awaited<ReturnType<typeof customerReach>>

/** By which channels marketing may write to a customer, and why not by the others. */
export function ReachPanel({ channels, consent }: ReachPanelProps) {
  const t = useTranslations('customer.reach')
  const format = useFormatter()
  const day = (instant: string) => format.dateTime(new Date(instant), 'instantDate')
  return (
    <Panel title={t('title')}>
      <ul className={classes.channels}>
        {channels.map(({ channel, address, suppressed }) => (
          <li key={channel} className={classes.channel}>
            <span>
              {t(`channels.${channel}`)}
              {suppressed ? (
                <small>
                  {t('since', { reason: t(`reasons.${suppressed.reason}`), date: day(suppressed.at) })}
                </small>
              ) : null}
            </span>
            {suppressed ? (
              <Badge tone="red" dot>
                {t('blocked')}
              </Badge>
            ) : (
              <Badge tone={address ? 'green' : 'neutral'} dot>
                {t(address ? 'open' : 'noAddress')}
              </Badge>
            )}
          </li>
        ))}
      </ul>
      <p className={classes.consent}>
        {t(`consent.${consent.consent_source}`, { date: day(consent.consent_at) })}
      </p>
    </Panel>
  )
}
