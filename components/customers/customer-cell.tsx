import { useFormatter, useNow, useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import { Money } from '@/components/ui/money'
import { readablePhone } from '@/components/ui/phone'
import { TierBadge } from '@/components/ui/tier-badge'
import { openChannels } from '@/lib/customers/consent'
import type { Customer } from '@/lib/customers/schema'
import { calendarDate } from '@/lib/i18n/formats'
import type { Column } from './columns'
import classes from './customer-row.module.css'

interface CustomerCellProps {
  column: Column
  customer: Customer
  location: string | null
}

/** What a column shows of a customer. */
export function CustomerCell({ column, customer, location }: CustomerCellProps) {
  const t = useTranslations('customers')
  const format = useFormatter()
  const now = useNow()
  switch (column) {
    case 'contact': {
      const contacts = [customer.email, customer.phone && readablePhone(customer.phone)]
      return contacts
        .filter((contact) => contact !== null)
        .map((contact) => (
          <small key={contact} className={classes.line}>
            {contact}
          </small>
        ))
    }
    case 'tier':
      return <TierBadge tier={customer.loyalty_tier} />
    case 'visits':
      return format.number(customer.total_visits)
    case 'spend':
      return <Money value={customer.total_spend} estimate={customer.spend_is_estimate} />
    case 'points':
      return format.number(customer.points)
    case 'lastVisit': {
      const last = customer.last_visit_at ? new Date(customer.last_visit_at) : null
      if (!last) return t('never')
      return (
        <>
          {format.relativeTime(last, now)}
          <small className={classes.line}>{format.dateTime(last, 'instantDate')}</small>
        </>
      )
    }
    case 'location':
      return location
    case 'tags':
      return (
        <span className={classes.tags}>
          {customer.tags.map((tag) => (
            <Badge key={tag} tone="neutral">
              {tag}
            </Badge>
          ))}
        </span>
      )
    case 'birthday':
      return customer.birth_date ? format.dateTime(calendarDate(customer.birth_date), 'date') : null
    case 'company':
      return customer.company
    case 'source':
      return customer.source
    case 'created':
      return format.dateTime(new Date(customer.created_at), 'instantDate')
    case 'consent': {
      const channels = openChannels(customer).map((channel) => t(`channels.${channel}`))
      return channels.length > 0 ? channels.join(' · ') : t('noChannel')
    }
  }
}
