import { useFormatter, useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import { CustomerLink } from '@/components/ui/customer-link'
import { LinkButton } from '@/components/ui/link-button'
import { Money } from '@/components/ui/money'
import { personName } from '@/components/ui/person-name'
import { readablePhone } from '@/components/ui/phone'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { DuplicateGroup as Group } from '@/lib/customers/duplicates'
import type { Customer } from '@/lib/customers/schema'
import { compareHref } from './compare-href'
import classes from './duplicate-group.module.css'

/** Customers who are likely one person: the first known, and each other with the way to compare the two. */
export function DuplicateGroup({ group }: { group: Group }) {
  const t = useTranslations('duplicates')
  const format = useFormatter()
  const [first, ...others] = group.customers
  if (!first) return null
  const nameOf = (customer: Customer) => personName(customer) ?? t('noName')
  return (
    <article className={classes.group} aria-label={t('group', { name: nameOf(first) })}>
      <Badge tone="amber">{t(`reasons.${group.reason}`)}</Badge>
      <ul className={classes.people}>
        {[first, ...others].map((customer) => (
          <li key={customer.id} className={classes.person}>
            <div>
              <CustomerLink id={customer.id} name={personName(customer)} />
              <small>
                {[customer.email, customer.phone && readablePhone(customer.phone)]
                  .filter(Boolean)
                  .join(' · ') || t('noContact')}
              </small>
            </div>
            <small className={classes.figures}>
              {t('figures', { visits: customer.total_visits })}
              {' · '}
              <Money value={customer.total_spend} estimate={customer.spend_is_estimate} />
              <br />
              {t('since', { date: format.dateTime(new Date(customer.created_at), 'instantDate') })}
            </small>
            {customer === first ? (
              <Badge tone="neutral">{t('oldest')}</Badge>
            ) : (
              <LinkButton href={compareHref(first.id, customer.id)} prefetch={false}>
                {t('action')}
                <VisuallyHidden>{t('compareWith', { name: nameOf(customer) })}</VisuallyHidden>
              </LinkButton>
            )}
          </li>
        ))}
      </ul>
    </article>
  )
}
