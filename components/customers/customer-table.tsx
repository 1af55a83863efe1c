import { useFormatter, useTranslations } from 'next-intl'
import { Badge, TierBadge } from '@/components/ui/badge'
import { CustomerLink } from '@/components/ui/customer-link'
import { DataTable } from '@/components/ui/data-table'
import { Money } from '@/components/ui/money'
import { useDaysAgo } from '@/components/ui/use-days-ago'
import { readableEmail } from '@/lib/contact/readable-email'
import { readablePhone } from '@/lib/contact/readable-phone'
import { openChannels } from '@/lib/customers/consent'
import { personName } from '@/lib/customers/person-name'
import { type Customer, IMPORTED } from '@/lib/customers/schema'
import { calendarDate } from '@/lib/i18n/formats'
import type { Location } from '@/lib/locations/locations'
import { AllergiesByCode } from './allergy-badges'
import type { Column } from './columns'
import classes from './customer-table.module.css'
import { SelectCustomer, SelectPage } from './selection'
import { useColumnName } from './use-column-name'

interface CustomerTableProps {
  customers: readonly Customer[]
  locations: readonly Location[]
  columns: readonly Column[]
}

/** A page of customers, with a checkbox for each. Must be within a SelectionArea. */
export function CustomerTable({ customers, locations, columns }: CustomerTableProps) {
  const t = useTranslations('customers.columns')
  const nameOf = useColumnName()
  const narrow = columns.filter((column) => !COLUMN_LAYOUT[column]['data-wide'])
  const beside = narrow.filter((column) => !COLUMN_LAYOUT[column]['data-under'])
  const grid = (after: readonly Column[]) => ['24px', 'minmax(0, 1fr)', ...after.map(() => '84px')].join(' ')
  const names = new Map(locations.map(({ id, name }) => [id, name]))
  return (
    <DataTable caption={t('caption')} phoneColumns={grid(narrow)} smallColumns={grid(beside)}>
      <thead>
        <tr>
          <th scope="col" className={classes.select}>
            <SelectPage />
          </th>
          <th scope="col">{t('name')}</th>
          {columns.map((column) => (
            <th key={column} scope="col" {...COLUMN_LAYOUT[column]}>
              {nameOf(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {customers.map((customer) => (
          <CustomerRow
            key={customer.id}
            customer={customer}
            location={names.get(customer.location_id ?? '') ?? null}
            columns={columns}
          />
        ))}
      </tbody>
    </DataTable>
  )
}

interface CustomerRowProps {
  customer: Customer
  location: string | null
  columns: readonly Column[]
}

/** One customer. On a phone visits and last visit are below the name. */
function CustomerRow({ customer, location, columns }: CustomerRowProps) {
  const t = useTranslations('customers')
  const daysAgo = useDaysAgo()
  const last = customer.last_visit_on
  const ago = last ? daysAgo(last) : t('never')
  return (
    <tr>
      <td className={classes.select}>
        <SelectCustomer id={customer.id} name={personName(customer)} />
      </td>
      <td>
        <CustomerLink id={customer.id} name={personName(customer)} />
        <AllergiesByCode codes={customer.allergies} />
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

interface CustomerCellProps {
  column: Column
  customer: Customer
  location: string | null
}

/** The content of a column for a customer. */
function CustomerCell({ column, customer, location }: CustomerCellProps) {
  const t = useTranslations('customers')
  const format = useFormatter()
  const daysAgo = useDaysAgo()
  switch (column) {
    case 'contact': {
      const contacts = [
        customer.email && readableEmail(customer.email),
        customer.phone && readablePhone(customer.phone),
      ]
      return contacts
        .filter((contact) => contact !== null)
        .map((contact) => (
          <small key={contact} className={classes.contact} title={contact}>
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
      const last = customer.last_visit_on
      if (!last) return t('never')
      return (
        <>
          {daysAgo(last)}
          <small className={classes.line}>{format.dateTime(calendarDate(last), 'date')}</small>
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
      return customer.source === IMPORTED ? t('imported') : customer.source
    case 'created':
      return format.dateTime(new Date(customer.created_at), 'instantDate')
    case 'consent': {
      const channels = openChannels(customer).map((channel) => t(`channels.${channel}`))
      return channels.length > 0 ? channels.join(' · ') : t('noChannel')
    }
  }
}

interface Layout {
  'data-num'?: true
  'data-nowrap'?: true
  'data-wide'?: true | 'md'
  'data-under'?: true
}

/** The style of a column: numbers to the right, some columns hidden on a phone, the tier below the name on a small one. */
const COLUMN_LAYOUT: Record<Column, Layout> = {
  contact: { 'data-wide': true },
  tier: { 'data-under': true },
  visits: { 'data-num': true, 'data-wide': true },
  spend: { 'data-num': true },
  points: { 'data-num': true, 'data-wide': true },
  lastVisit: { 'data-wide': true, 'data-nowrap': true },
  location: { 'data-wide': 'md' },
  tags: { 'data-wide': 'md' },
  birthday: { 'data-wide': 'md', 'data-nowrap': true },
  company: { 'data-wide': 'md' },
  source: { 'data-wide': 'md' },
  created: { 'data-wide': 'md', 'data-nowrap': true },
  consent: { 'data-wide': 'md' },
}
