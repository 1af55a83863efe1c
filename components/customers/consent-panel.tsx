import { useFormatter, useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import { Panel } from '@/components/ui/panel'
import { addressOf, type ChannelConsent } from '@/lib/customers/consent'
import type { Customer } from '@/lib/customers/schema'
import { CHANNELS } from '@/lib/messaging/schema'
import { ConsentActions } from './consent-actions'
import classes from './consent-panel.module.css'

/** A customer's consent by channel: basis, date, author and reason; and the actions that change it. */
export function ConsentPanel({ customer }: { customer: Customer }) {
  const t = useTranslations('customer.consent')
  return (
    <Panel title={t('title')}>
      <ul className={classes.channels}>
        {CHANNELS.map((channel) => {
          const consent = customer.consent[channel]
          const hasAddress = addressOf(customer, channel) !== null
          return (
            <li key={channel} className={classes.channel}>
              <p className={classes.head}>
                <span className={classes.name}>{t(`channels.${channel}`)}</span>
                <Standing consent={consent} hasAddress={hasAddress} />
              </p>
              <ConsentRecord consent={consent} />
              <ConsentActions
                customerId={customer.id}
                channel={channel}
                basis={consent.basis}
                optedOut={consent.opted_out}
                reason={consent.source === 'staff' ? consent.reason : null}
                hasAddress={hasAddress}
                isFinal={consent.source === 'bounce' || consent.source === 'complaint'}
              />
            </li>
          )
        })}
      </ul>
      <p className={classes.note}>{t('note')}</p>
    </Panel>
  )
}

function Standing({ consent, hasAddress }: { consent: ChannelConsent; hasAddress: boolean }) {
  const t = useTranslations('customer.consent.standing')
  const [tone, text] = consent.opted_out
    ? (['red', 'optedOut'] as const)
    : !hasAddress
      ? (['neutral', 'noAddress'] as const)
      : consent.basis === 'none'
        ? (['amber', 'noBasis'] as const)
        : (['green', 'open'] as const)
  return (
    <Badge tone={tone} dot>
      {t(text)}
    </Badge>
  )
}

/** The entry on record: the opt-out if there is one, else the legal basis. */
function ConsentRecord({ consent }: { consent: ChannelConsent }) {
  const t = useTranslations('customer.consent')
  const format = useFormatter()
  const { basis, source, author, reason, opted_out } = consent
  const date = consent.at ? format.dateTime(new Date(consent.at), 'instantDate') : ''
  const parts: string[] = []
  if (opted_out && source !== null && source !== 'visit' && source !== 'import') {
    parts.push(t(`optOut.${source}`, { date }))
    if (source === 'unsubscribe' || source === 'stop' || source === 'complaint')
      parts.push(author ? t('guest', { author }) : t('anyGuest'))
  } else {
    parts.push(t(`basis.${basis}`))
    if (source === 'visit' || source === 'import' || source === 'staff') parts.push(t(source, { date }))
    if (source === 'import' && author) parts.push(t('importedBy', { author }))
  }
  if (source === 'staff' && author) parts.push(t('author', { author }))
  return (
    <p className={classes.record}>
      {parts.join(' · ')}
      {reason ? <span className={classes.reason}>{t('quote', { reason })}</span> : null}
    </p>
  )
}
