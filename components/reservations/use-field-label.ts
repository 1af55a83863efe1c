import { useTranslations } from 'next-intl'

const LABELS = {
  location_id: 'location',
  customer_id: 'customer',
  customer_name: 'name',
  reservation_date: 'date',
  reservation_time: 'time',
  party_size: 'party',
  status: 'status',
  notes: 'notes',
  total_amount: 'amount',
  zone_name: 'zone',
  table_name: 'table',
} as const

/** Returns the label of an API field in the forms. */
export function useFieldLabel(): (field: string) => string {
  const t = useTranslations('client.booking')
  return (field) => t(LABELS[field as keyof typeof LABELS] ?? 'name')
}
