import { useFormatter, useNow, useTranslations } from 'next-intl'
import { CustomerLink } from '@/components/ui/customer-link'
import { personName } from '@/components/ui/person-name'
import { readablePhone } from '@/components/ui/phone'
import { TierBadge } from '@/components/ui/tier-badge'
import type { Customer } from '@/lib/customers/schema'
import classes from './customer-row.module.css'

/** One customer. On a phone visits and last visit stand under the name. */
export function CustomerRow({ customer, location }: { customer: Customer; location: string | null }) {
  const t = useTranslations('customers')
  const format = useFormatter()
  const now = useNow()
  const lastVisit = customer.last_visit_at ? new Date(customer.last_visit_at) : null
  const ago = lastVisit ? format.relativeTime(lastVisit, now) : t('never')
  const contacts = [customer.email, customer.phone && readablePhone(customer.phone)].filter(
    (contact) => contact !== null,
  )
  return (
    <tr>
      <td>
        <CustomerLink id={customer.id} name={personName(customer)} />
        {customer.company ? <small className={classes.line}>{customer.company}</small> : null}
        <small data-narrow>{t('visitsAndLast', { count: customer.total_visits, ago })}</small>
      </td>
      <td data-wide>
        {contacts.map((contact) => (
          <small key={contact} className={classes.line}>
            {contact}
          </small>
        ))}
      </td>
      <td>
        <TierBadge tier={customer.loyalty_tier} />
      </td>
      <td data-num data-wide>
        {format.number(customer.total_visits)}
      </td>
      <td data-num>{format.number(customer.total_spend, 'money')}</td>
      <td data-wide data-nowrap>
        {ago}
        {lastVisit ? (
          <small className={classes.line}>{format.dateTime(lastVisit, 'instantDate')}</small>
        ) : null}
      </td>
      <td data-wide="md">{location}</td>
    </tr>
  )
}
