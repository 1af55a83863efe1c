import { useFormatter, useTranslations } from 'next-intl'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { personName } from '@/lib/customers/person-name'
import type { Customer, Pair } from '@/lib/customers/schema'
import classes from './duplicate-group.module.css'
import { SameAgainButton } from './not-same-button'
import { PersonLine } from './person-line'

/** Two customers marked as different people, with the author and the date, and the button that undoes it. */
export function DifferentPair({ pair }: { pair: Pair }) {
  const t = useTranslations('duplicates')
  const format = useFormatter()
  const [one, other] = pair.customers
  if (!one || !other) return null
  const names = { one: nameOf(one, t('noName')), other: nameOf(other, t('noName')) }
  return (
    <article className={classes.group} aria-label={t('different.pair', names)}>
      <div className={classes.head}>
        <small>
          {t('different.said', {
            author: pair.author_name,
            date: format.dateTime(new Date(pair.decided_at), 'instantDate'),
          })}
        </small>
        <SameAgainButton customerId={one.id} otherIds={[other.id]}>
          {t('different.restore')}
          <VisuallyHidden>{t('different.restoreOf', names)}</VisuallyHidden>
        </SameAgainButton>
      </div>
      <ul className={classes.people}>
        {[one, other].map((customer) => (
          <li key={customer.id} className={classes.person}>
            <PersonLine customer={customer} />
          </li>
        ))}
      </ul>
    </article>
  )
}

const nameOf = (customer: Customer, noName: string) => personName(customer) ?? noName
