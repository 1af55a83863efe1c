import { IconFilter, IconFilterPlus } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import { CUSTOMER_SEGMENTS, type CustomerList, customerFilters, customersPage } from '@/lib/customers/filters'
import { isFiltered } from '@/lib/http/page-address'
import { newSegmentPage } from '@/lib/segments/addresses'
import type { Segment } from '@/lib/segments/schema'
import { SavedViews } from './saved-views'
import classes from './segment-bar.module.css'

interface SegmentBarProps {
  list: CustomerList
  /** The segments that the person may read. */
  saved: readonly Pick<Segment, 'id' | 'name'>[]
  /** The id of the person: saved views are kept in the browser, which people may share. */
  userId: string
}

/** How many segments have a link in the bar; the others are on the page of segments. */
const SHOWN = 8

/** Links to groups of customers: the built-in ones, saved segments, and the person's own filters. */
export function SegmentBar({ list, saved, userId }: SegmentBarProps) {
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
      {saved
        .filter(({ id }, place) => place < SHOWN || id === list.segment_id)
        .map(({ id, name }) => (
          <li key={id}>
            <Link
              href={customersPage.href({ ...first, segment_id: id === list.segment_id ? undefined : id })}
              scroll={false}
              prefetch={false}
              className={classes.chip}
              aria-current={id === list.segment_id ? 'true' : undefined}
            >
              <IconFilter size={14} aria-hidden />
              <span>{name}</span>
            </Link>
          </li>
        ))}
      <SavedViews userId={userId} here={customersPage.href(first)} />
      {isFiltered(customerFilters, list) ? (
        <li>
          <Link
            href={newSegmentPage.href(customerFilters.parse(first))}
            prefetch={false}
            className={`${classes.chip} ${classes.add}`}
          >
            <IconFilterPlus size={14} aria-hidden />
            {t('keep')}
          </Link>
        </li>
      ) : null}
    </ul>
  )
}
