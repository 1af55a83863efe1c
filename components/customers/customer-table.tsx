import { useTranslations } from 'next-intl'
import { DataTable } from '@/components/ui/data-table'
import type { Customer } from '@/lib/customers/schema'
import type { Location } from '@/lib/organization/list-locations'
import { COLUMN_LAYOUT } from './column-layout'
import type { Column } from './columns'
import { CustomerRow } from './customer-row'

interface CustomerTableProps {
  customers: readonly Customer[]
  locations: readonly Location[]
  columns: readonly Column[]
}

/** A page of customers. */
export function CustomerTable({ customers, locations, columns }: CustomerTableProps) {
  const t = useTranslations('customers.columns')
  const narrow = columns.filter((column) => !COLUMN_LAYOUT[column]['data-wide'])
  const phoneColumns = ['minmax(0, 1fr)', ...narrow.map(() => '84px')].join(' ')
  const names = new Map(locations.map(({ id, name }) => [id, name]))
  return (
    <DataTable caption={t('caption')} phoneColumns={phoneColumns}>
      <thead>
        <tr>
          <th scope="col">{t('name')}</th>
          {columns.map((column) => (
            <th key={column} scope="col" {...COLUMN_LAYOUT[column]}>
              {t(column)}
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
