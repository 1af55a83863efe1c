import { IconStar } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { EmptyState } from '@/components/ui/empty-state'
import { Panel } from '@/components/ui/panel'
import type { PointsEntry } from '@/lib/customers/points-schema'
import type { Customer } from '@/lib/customers/schema'
import { calendarDate } from '@/lib/i18n/formats'
import { PointsActions } from './customer-actions'
import classes from './points-panel.module.css'

interface PointsPanelProps {
  customer: Pick<Customer, 'id' | 'points'>
  name: string
  /** The latest entries. */
  entries: readonly PointsEntry[]
}

/** The latest entries of a customer's points: kind, date, points, author and reason. */
export function PointsPanel({ customer, name, entries }: PointsPanelProps) {
  const t = useTranslations('customer.points')
  const format = useFormatter()
  const basis = ({ amount, amount_is_estimate, multiplier }: PointsEntry) =>
    amount === null || multiplier === null
      ? null
      : t(amount_is_estimate ? 'estimatedBasis' : 'basis', {
          amount: format.number(amount, 'money'),
          multiplier: format.number(multiplier),
        })
  return (
    <Panel
      title={t('title')}
      aside={<PointsActions customerId={customer.id} name={name} balance={customer.points} />}
    >
      {entries.length > 0 ? (
        <ol aria-label={t('list')}>
          {entries.map((entry) => (
            <li key={entry.id} className={classes.entry}>
              <span>
                {t(`kinds.${entry.kind}`)}
                <small>
                  {[
                    entry.reservation_date
                      ? format.dateTime(calendarDate(entry.reservation_date), 'date')
                      : format.dateTime(new Date(entry.created_at), 'instantDate'),
                    basis(entry),
                    entry.author && t('by', { author: entry.author }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </small>
                {entry.reason ? <small>{entry.reason}</small> : null}
              </span>
              <span className={classes.points} data-less={entry.points < 0 || undefined}>
                {format.number(entry.points, { signDisplay: 'exceptZero' })}
              </span>
            </li>
          ))}
        </ol>
      ) : (
        <EmptyState icon={IconStar} title={t('none')} text={t('noneText')} />
      )}
    </Panel>
  )
}
