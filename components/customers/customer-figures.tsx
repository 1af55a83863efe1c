import { useFormatter, useNow, useTranslations } from 'next-intl'
import { Figure, Figures } from '@/components/ui/figures'
import { Money } from '@/components/ui/money'
import type { Customer } from '@/lib/customers/schema'

/** What a customer has been worth to the group. */
export function CustomerFigures({ customer }: { customer: Customer }) {
  const t = useTranslations('customer.figures')
  const format = useFormatter()
  const now = useNow()
  const {
    total_visits: visits,
    total_spend: spend,
    spend_is_estimate: estimate,
    last_visit_at: last,
  } = customer
  return (
    <Figures>
      <Figure label={t('visits')} value={format.number(visits)} />
      <Figure label={t('spend')} value={<Money value={spend} estimate={estimate} />} />
      <Figure
        label={t('average')}
        value={visits > 0 ? <Money value={spend / visits} estimate={estimate} /> : '–'}
      />
      <Figure label={t('points')} value={format.number(customer.points)} />
      <Figure
        label={t('lastVisit')}
        value={last ? format.relativeTime(new Date(last), now) : t('never')}
        note={last ? format.dateTime(new Date(last), 'instantDate') : undefined}
      />
    </Figures>
  )
}
