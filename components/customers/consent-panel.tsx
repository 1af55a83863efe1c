import { useFormatter, useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import { Panel } from '@/components/ui/panel'
import { addressOf, type ChannelConsent } from '@/lib/customers/consent'
import type { Customer } from '@/lib/customers/schema'
import { CHANNELS } from '@/lib/messaging/schema'
import { ConsentActions } from './consent-actions'
import classes from './consent-panel.module.css'

interface ConsentPanelProps {
  customer: Customer
  /** The names of the brands of which the guest wants nothing. */
  brands: readonly string[]
}

/** A customer's consent by channel: basis, date, author and reason; the actions that change it; and their own wishes. */
export function ConsentPanel({ customer, brands }: ConsentPanelProps) {
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
      <Wishes monthly={customer.write_frequency === 'monthly'} brands={brands} />
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

/** What the guest chose on the page of an unsubscribe link; only they change it. */
function Wishes({ monthly, brands }: { monthly: boolean; brands: readonly string[] }) {
  const t = useTranslations('customer.consent.wishes')
  const format = useFormatter()
  if (!monthly && brands.length === 0) return null
  return (
    <div className={classes.wishes}>
      {monthly ? <p>{t('monthly')}</p> : null}
      {brands.length > 0 ? <p>{t('brands', { brands: format.list(brands) })}</p> : null}
      <p className={classes.record}>{t('by')}</p>
    </div>
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
