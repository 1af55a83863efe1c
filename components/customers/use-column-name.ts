import { useTranslations } from 'next-intl'
import type { GuestFieldName } from '@/lib/customers/guest-fields'
import type { Column } from './columns'

const FIELDS = {
  location: 'location_id',
  tags: 'tags',
  birthday: 'birth_date',
  company: 'company',
} as const satisfies Partial<Record<Column, GuestFieldName>>

/** The words above a column of the customer list; one that shows a field has the field's. */
export function useColumnName(): (column: Column) => string {
  const t = useTranslations('client.customers.columns.names')
  const labels = useTranslations('client.guestFields')
  return (column) => (isField(column) ? labels(FIELDS[column]) : t(column))
}

const isField = (column: Column): column is keyof typeof FIELDS => column in FIELDS
