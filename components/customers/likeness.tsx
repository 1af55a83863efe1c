import { useFormatter, useTranslations } from 'next-intl'
import { evidenceKey } from '@/components/identity/evidence'
import { Badge } from '@/components/ui/badge'
import { readableEmail } from '@/lib/contact/readable-email'
import { readablePhone } from '@/lib/contact/readable-phone'
import { COMPARED_FIELDS } from '@/lib/customers/guest-fields'
import { personName } from '@/lib/customers/person-name'
import type { Customer, DuplicateGroup, LikelyPair } from '@/lib/customers/schema'
import { calendarDate } from '@/lib/i18n/formats'
import classes from './likeness.module.css'

const VERY_LIKELY = 0.95
// 100 % would claim certainty.
const MOST = 0.999

/** How likely it is that two records are one person, in words. */
export function ScoreBadge({ probability, certain }: Pick<LikelyPair, 'probability' | 'certain'>) {
  const t = useTranslations('duplicates.score')
  const format = useFormatter()
  if (certain) return <Badge tone="green">{t('certain')}</Badge>
  const percent = format.number(Math.min(Math.floor(probability * 1000) / 1000, MOST), {
    style: 'percent',
    maximumFractionDigits: probability > VERY_LIKELY ? 1 : 0,
  })
  return probability >= VERY_LIKELY ? (
    <Badge tone="blue">{t('veryLikely', { percent })}</Badge>
  ) : (
    <Badge tone="amber">{t('likely', { percent })}</Badge>
  )
}

/**
 * The evidence for and against two records being one person, field by field. Groups of three or more also show the
 * names.
 */
export function PairEvidence({ pair, group }: { pair: LikelyPair; group: DuplicateGroup }) {
  const t = useTranslations('duplicates')
  const [one, other] = pair.customer_ids.map((id) => group.customers.find((person) => person.id === id))
  if (!one || !other) return null
  const names = { one: one.first_name ?? t('noName'), other: other.first_name ?? t('noName') }
  const words = Object.entries(pair.evidence).flatMap(([field, level]) => {
    const key = evidenceKey(field, level)
    return t.has(key) ? [t(key, names)] : []
  })
  return (
    <li>
      {group.pairs.length > 1 ? (
        <>
          <strong>
            {t('pair', {
              one: personName(one) ?? t('noName'),
              other: personName(other) ?? t('noName'),
            })}
          </strong>{' '}
          <ScoreBadge {...pair} />{' '}
        </>
      ) : null}
      {words.join(' · ')}
    </li>
  )
}

type Field = (typeof COMPARED_FIELDS)[number]

/** The compared fields of all records of a group side by side; differences are marked. */
export function SideBySide({ group, name }: { group: DuplicateGroup; name: string }) {
  const t = useTranslations('duplicates')
  const labels = useTranslations('client.guestFields')
  const format = useFormatter()
  const show = (customer: Customer, field: Field): string => {
    const value = customer[field]
    if (value === null) return '–'
    if (field === 'phone') return readablePhone(value)
    if (field === 'email') return readableEmail(value)
    return field === 'birth_date' ? format.dateTime(calendarDate(value), 'date') : value
  }
  const rows = COMPARED_FIELDS.filter((field) => group.customers.some((customer) => customer[field] !== null))
  return (
    <details className={classes.fold}>
      <summary>{t('sideBySide')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className={classes.scroll} tabIndex={0} aria-label={t('sideBySideOf', { name })}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('field')}</th>
              {group.customers.map((customer, index) => (
                <th key={customer.id} scope="col">
                  {t('record', { number: index + 1 })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((field) => (
              <tr key={field} data-differs={differs(group.customers, field) || undefined}>
                <th scope="row">{labels(field)}</th>
                {group.customers.map((customer) => (
                  <td key={customer.id}>{show(customer, field)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

const differs = (customers: readonly Customer[], field: Field): boolean =>
  new Set(customers.flatMap((customer) => customer[field] ?? [])).size > 1
