import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { BackLink } from '@/components/ui/back-link'
import { Badge, TierBadge } from '@/components/ui/badge'
import { Figure, Figures } from '@/components/ui/figures'
import { Money } from '@/components/ui/money'
import { PageHeader } from '@/components/ui/page-header'
import { useDaysAgo } from '@/components/ui/use-days-ago'
import type { Customer } from '@/lib/customers/schema'
import { calendarDate } from '@/lib/i18n/formats'
import classes from './customer-header.module.css'

interface CustomerHeaderProps {
  customer: Customer
  name: string
  /** The customer's actions. */
  children?: ReactNode
}

/** The head of a customer's page: name, tier, tags, actions, and the link back to the list. */
export function CustomerHeader({ customer, name, children }: CustomerHeaderProps) {
  const t = useTranslations('customer')
  const badges = customer.loyalty_tier || customer.tags.length > 0
  return (
    <>
      <BackLink href="/customers">{t('back')}</BackLink>
      <PageHeader
        title={name}
        subtitle={
          badges ? (
            <span className={classes.badges}>
              <TierBadge tier={customer.loyalty_tier} />
              {customer.tags.map((tag) => (
                <Badge key={tag} tone="neutral">
                  {tag}
                </Badge>
              ))}
            </span>
          ) : null
        }
      >
        {children}
      </PageHeader>
    </>
  )
}

/** A customer's key figures: visits, spend, average spend, points and last visit. */
export function CustomerFigures({ customer }: { customer: Customer }) {
  const t = useTranslations('customer.figures')
  const format = useFormatter()
  const daysAgo = useDaysAgo()
  const {
    total_visits: visits,
    total_spend: spend,
    spend_is_estimate: estimate,
    last_visit_on: last,
  } = customer
  return (
    <Figures>
      <Figure label={t('visits')} value={format.number(visits)} />
      <Figure label={t('spend')} value={<Money value={spend} estimate={estimate} />} />
      <Figure
        label={t('average')}
        value={visits > 0 ? <Money value={spend / visits} estimate={estimate} /> : '–'}
      />
      <Figure label={t('points')} value={format.number(customer.points)} />
      <Figure
        label={t('lastVisit')}
        value={last ? daysAgo(last) : t('never')}
        note={last ? format.dateTime(calendarDate(last), 'date') : undefined}
      />
    </Figures>
  )
}
