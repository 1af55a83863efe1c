import { useFormatter, useNow, useTranslations } from 'next-intl'
import { CustomerLink } from '@/components/ui/customer-link'
import { personName } from '@/components/ui/person-name'
import type { Customer } from '@/lib/customers/schema'
import { COLUMN_LAYOUT } from './column-layout'
import type { Column } from './columns'
import { CustomerCell } from './customer-cell'
import classes from './customer-row.module.css'

interface CustomerRowProps {
  customer: Customer
  location: string | null
  columns: readonly Column[]
}

/** One customer. On a phone visits and last visit stand under the name. */
export function CustomerRow({ customer, location, columns }: CustomerRowProps) {
  const t = useTranslations('customers')
  const format = useFormatter()
  const now = useNow()
  const last = customer.last_visit_at
  const ago = last ? format.relativeTime(new Date(last), now) : t('never')
  return (
    <tr>
      <td>
        <CustomerLink id={customer.id} name={personName(customer)} />
        {customer.company && !columns.includes('company') ? (
          <small className={classes.line}>{customer.company}</small>
        ) : null}
        <small data-narrow>{t('visitsAndLast', { count: customer.total_visits, ago })}</small>
      </td>
      {columns.map((column) => (
        <td key={column} {...COLUMN_LAYOUT[column]}>
          <CustomerCell column={column} customer={customer} location={location} />
        </td>
      ))}
    </tr>
  )
}
