import { useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import { CUSTOMER_SEGMENTS, type CustomerList, customersPage } from '@/lib/customers/filters'
import { SavedViews } from './saved-views'
import classes from './segment-bar.module.css'

interface SegmentBarProps {
  list: CustomerList
  /** Whose saved views: they are kept in the browser, which people may share. */
  userId: string
}

/** The groups of customers one click away: those of the product, and the person's own sets of filters. */
export function SegmentBar({ list, userId }: SegmentBarProps) {
  const t = useTranslations('customers.segments')
  const first = { ...list, cursor: undefined }
  return (
    <ul className={classes.list} aria-label={t('label')}>
      {[undefined, ...CUSTOMER_SEGMENTS].map((segment) => (
        <li key={segment ?? ''}>
          <Link
            href={customersPage.href({
              ...first,
              segment,
              inactive_days: segment === 'inactive' ? undefined : list.inactive_days,
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
      <SavedViews userId={userId} here={customersPage.href(first)} />
    </ul>
  )
}
