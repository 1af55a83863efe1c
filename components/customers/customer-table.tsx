import { useTranslations } from 'next-intl'
import { DataTable } from '@/components/ui/data-table'
import type { Customer } from '@/lib/customers/schema'
import type { Location } from '@/lib/organization/list-locations'
import { CustomerRow } from './customer-row'

interface CustomerTableProps {
  customers: readonly Customer[]
  locations: readonly Location[]
}

/** A page of customers. */
export function CustomerTable({ customers, locations }: CustomerTableProps) {
  const t = useTranslations('customers.columns')
  const names = new Map(locations.map(({ id, name }) => [id, name]))
  return (
    <DataTable caption={t('caption')}>
      <thead>
        <tr>
          <th scope="col">{t('name')}</th>
          <th scope="col" data-wide>
            {t('contact')}
          </th>
          <th scope="col">{t('tier')}</th>
          <th scope="col" data-num data-wide>
            {t('visits')}
          </th>
          <th scope="col" data-num>
            {t('spend')}
          </th>
          <th scope="col" data-wide>
            {t('lastVisit')}
          </th>
          <th scope="col" data-wide="md">
            {t('location')}
          </th>
        </tr>
      </thead>
      <tbody>
        {customers.map((customer) => (
          <CustomerRow
            key={customer.id}
            customer={customer}
            location={names.get(customer.location_id ?? '') ?? null}
          />
        ))}
      </tbody>
    </DataTable>
  )
}
