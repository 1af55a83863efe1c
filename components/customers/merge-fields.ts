import 'server-only'
import { getFormatter, getTranslations } from 'next-intl/server'
import { readableEmail } from '@/lib/contact/readable-email'
import { readablePhone } from '@/lib/contact/readable-phone'
import { GUEST_FIELDS, SINGLE_FIELDS, type SingleField } from '@/lib/customers/guest-fields'
import type { Customer } from '@/lib/customers/schema'
import { calendarDate } from '@/lib/i18n/formats'

/** A field of two customers as it is shown; `field` is null where there is no choice. */
export interface MergeRow {
  key: string
  label: string
  kept: string | null
  gone: string | null
  /** Whether the two values differ and one must be chosen. */
  field: SingleField | null
  /** What happens to the values where there is no choice. */
  result: 'same' | 'filled' | 'united' | 'summed' | 'higher'
}

/** The rows of the comparison: first the fields people typed, then the derived ones. */
export async function mergeFields(
  kept: Customer,
  gone: Customer,
  locations: ReadonlyMap<string, string>,
): Promise<MergeRow[]> {
  const [labels, languages, t, names, texts, format] = await Promise.all([
    getTranslations('client.guestFields'),
    getTranslations('client.guestLanguages'),
    getTranslations('duplicates.fields'),
    getTranslations('duplicates'),
    getTranslations('common.estimate'),
    getFormatter(),
  ])
  const show = (customer: Customer, field: SingleField): string | null => {
    if (field === 'language') return customer.language && languages(customer.language)
    const value = customer[field]
    if (value === null) return null
    if (field === 'phone') return readablePhone(value)
    if (field === 'email') return readableEmail(value)
    if (field === 'birth_date') return format.dateTime(calendarDate(value), 'date')
    return field === 'location_id' ? (locations.get(value) ?? names('otherLocation')) : value
  }
  const rows = SINGLE_FIELDS.map((field): MergeRow => {
    const [one, other] = [kept[field], gone[field]]
    const both = one !== null && other !== null && one !== other
    return {
      key: field,
      label: labels(field),
      kept: show(kept, field),
      gone: show(gone, field),
      field: both && !GUEST_FIELDS[field].keepsBoth ? field : null,
      result: both ? 'united' : one === null && other !== null ? 'filled' : 'same',
    }
  })
  const spend = ({ total_spend, spend_is_estimate }: Customer) => {
    const money = format.number(total_spend, 'money')
    return spend_is_estimate ? `${money} ${texts('mark')}` : money
  }
  const derived = (key: 'tags' | 'tier' | 'visits' | 'spend', result: MergeRow['result']) => {
    const value = (customer: Customer) =>
      ({
        tags: customer.tags.join(', ') || null,
        tier: customer.loyalty_tier?.name ?? null,
        visits: format.number(customer.total_visits),
        spend: spend(customer),
      })[key]
    return {
      key,
      label: key === 'tags' ? labels(key) : t(key),
      kept: value(kept),
      gone: value(gone),
      field: null,
      result,
    }
  }
  return [
    ...rows.filter((row) => row.kept !== null || row.gone !== null),
    derived('tags', 'united'),
    derived('tier', 'higher'),
    derived('visits', 'summed'),
    derived('spend', 'summed'),
  ]
}
