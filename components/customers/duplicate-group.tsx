import { useFormatter, useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import { LinkButton } from '@/components/ui/link-button'
import { Money } from '@/components/ui/money'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { personName } from '@/lib/customers/person-name'
import type { Customer, DuplicateGroup as Group } from '@/lib/customers/schema'
import classes from './duplicate-group.module.css'
import { PairEvidence, ScoreBadge, SideBySide } from './likeness'
import likeness from './likeness.module.css'
import { NotSameButton } from './not-same-button'
import { PersonLine } from './person-line'

// Ten people make 45 pairs; the most certain ones are enough.
const MOST_PAIRS = 5

/**
 * Customers who are likely one person: how likely and why, then the oldest record first. Each of the others has a
 * link
 * that compares it with the oldest. In a group of three or more, the oldest also has a button to leave the group.
 */
export function DuplicateGroup({ group }: { group: Group }) {
  const t = useTranslations('duplicates')
  const format = useFormatter()
  const [first, ...others] = group.customers
  if (!first) return null
  const nameOf = (customer: Customer) => personName(customer) ?? t('noName')
  return (
    <article className={classes.group} aria-label={t('group', { name: nameOf(first) })}>
      <div className={classes.reasons}>
        <ScoreBadge {...group} />
        {group.reasons.map((reason) => (
          <Badge key={reason} tone="neutral">
            {t(`reasons.${reason}`)}
          </Badge>
        ))}
      </div>
      <ul className={likeness.evidence}>
        {group.pairs.slice(0, MOST_PAIRS).map((pair) => (
          <PairEvidence key={pair.customer_ids.join(' ')} pair={pair} group={group} />
        ))}
      </ul>
      <ul className={classes.people}>
        {[first, ...others].map((customer) => (
          <li key={customer.id} className={classes.person}>
            <PersonLine customer={customer} />
            <small className={classes.figures}>
              {t('figures', { visits: customer.total_visits })}
              {' · '}
              <Money value={customer.total_spend} estimate={customer.spend_is_estimate} />
              <br />
              {t('since', { date: format.dateTime(new Date(customer.created_at), 'instantDate') })}
            </small>
            <div className={classes.actions}>
              {customer === first ? (
                <Badge tone="neutral">{t('oldest')}</Badge>
              ) : (
                <LinkButton href={compareHref(first.id, customer.id)} prefetch={false}>
                  {t('action')}
                  <VisuallyHidden>{t('compareWith', { name: nameOf(customer) })}</VisuallyHidden>
                </LinkButton>
              )}
              {customer === first && others.length === 1 ? null : (
                <NotSameButton
                  customerId={customer.id}
                  otherIds={group.customers.filter(({ id }) => id !== customer.id).map(({ id }) => id)}
                >
                  {t('notSame')}
                  <VisuallyHidden>{t('notSameOf', { name: nameOf(customer) })}</VisuallyHidden>
                </NotSameButton>
              )}
            </div>
          </li>
        ))}
      </ul>
      <SideBySide group={group} name={nameOf(first)} />
    </article>
  )
}

/** The page that compares two customers; the first one is kept. */
const compareHref = (keep: string, merge: string): string =>
  `/customers/duplicates/compare?keep=${keep}&merge=${merge}`
