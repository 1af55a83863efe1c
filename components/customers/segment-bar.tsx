import { useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import { CUSTOMER_SEGMENTS } from '@/lib/customers/schema'
import { type CustomersQuery, customersHref } from './customers-query'
import { SavedViews } from './saved-views'
import classes from './segment-bar.module.css'

interface SegmentBarProps {
  list: CustomersQuery
  /** Whose saved views: they are kept in the browser, which people may share. */
  userId: string
}

/** The groups of customers one click away: those of the product, and the person's own sets of filters. */
export function SegmentBar({ list, userId }: SegmentBarProps) {
  const t = useTranslations('customers.segments')
  const here = customersHref({ ...list, cursor: undefined })
  return (
    <ul className={classes.list} aria-label={t('label')}>
      {[undefined, ...CUSTOMER_SEGMENTS].map((segment) => (
        <li key={segment ?? ''}>
          <Link
            href={customersHref({
              ...list,
              segment,
              inactive: segment === 'inactive' ? undefined : list.inactive,
            })}
            scroll={false}
            prefetch={false}
            className={classes.chip}
            aria-current={list.segment === segment ? 'true' : undefined}
          >
            {t(segment ?? 'all')}
          </Link>
        </li>
      ))}
      <SavedViews userId={userId} here={here} />
    </ul>
  )
}
