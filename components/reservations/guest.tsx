import { useFormatter, useNow, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Badge } from '@/components/ui/badge'
import { Link } from '@/components/ui/link'
import { Money } from '@/components/ui/money'
import { personName } from '@/components/ui/person-name'
import { readablePhone } from '@/components/ui/phone'
import { StatusBadge } from '@/components/ui/status-badge'
import { TierBadge } from '@/components/ui/tier-badge'
import { VisitMark } from '@/components/ui/visit-mark'
import type { Customer } from '@/lib/customers/schema'
import { calendarDate } from '@/lib/i18n/formats'
import type { HistoryEntry } from '@/lib/reservations/customer-history'
import classes from './drawer.module.css'

/** Who comes: what they are worth to the group, what to know, and their last visits. */
export function Guest({ customer, visits }: { customer: Customer; visits: readonly HistoryEntry[] }) {
  const t = useTranslations('reservations.drawer')
  const texts = useTranslations('reservation')
  const format = useFormatter()
  const now = useNow()
  const { last_visit_at: last, birth_date: birth } = customer
  const facts: [string, ReactNode][] = [
    [t('visits'), format.number(customer.total_visits)],
    [t('spend'), <Money key="spend" value={customer.total_spend} estimate={customer.spend_is_estimate} />],
    [t('lastVisit'), last ? format.relativeTime(new Date(last), now) : t('never')],
    [
      t('birthday'),
      birth ? format.dateTime(calendarDate(birth), { day: 'numeric', month: 'long', timeZone: 'UTC' }) : null,
    ],
    [t('phone'), customer.phone && readablePhone(customer.phone)],
    [t('email'), customer.email],
  ]
  return (
    <section className={classes.guest} aria-label={t('customer')}>
      <div className={classes.guestHead}>
        <h3>{personName(customer) ?? texts('noName')}</h3>
        <TierBadge tier={customer.loyalty_tier} />
        <Link href={`/customers/${customer.id}`} prefetch={false}>
          {t('open')}
        </Link>
      </div>
      {customer.notes ? <p className={classes.notes}>{customer.notes}</p> : null}
      {customer.tags.length > 0 ? (
        <div className={classes.tags}>
          {customer.tags.map((tag) => (
            <Badge key={tag} tone="neutral">
              {tag}
            </Badge>
          ))}
        </div>
      ) : null}
      <dl className={classes.facts}>
        {facts.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
      <h4>{t('lastVisits')}</h4>
      {visits.length > 0 ? (
        <ul className={classes.visits}>
          {visits.map((visit) => (
            <li key={visit.id}>
              <span>{format.dateTime(calendarDate(visit.reservation_date), 'date')}</span>
              <span>
                {visit.location?.name} · {texts('party', { count: visit.party_size })}
              </span>
              <span>
                <StatusBadge status={visit.status} />
                <VisitMark reservation={visit} />
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p className={classes.none}>{t('noVisits')}</p>
      )}
    </section>
  )
}
