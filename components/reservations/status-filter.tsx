import { useFormatter, useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import { count } from '@/components/ui/service-count'
import { STATUS_TONES } from '@/components/ui/status-badge'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { ServiceFigure } from '@/lib/overview/service-summary'
import { RESERVATION_STATUSES } from '@/lib/pms/status'
import { type DayQuery, dayHref } from './day-query'
import classes from './status-filter.module.css'

interface StatusFilterProps {
  day: DayQuery
  figures: readonly ServiceFigure[]
}

/** The day's totals by state, each a switch of the filter; several may be on. */
export function StatusFilter({ day, figures }: StatusFilterProps) {
  const t = useTranslations('reservations.filter')
  const statuses = useTranslations('status.many')
  const format = useFormatter()
  return (
    <ul className={classes.list} aria-label={t('label')}>
      {RESERVATION_STATUSES.map((status) => {
        const on = day.statuses.includes(status)
        const { reservations, covers } = count(figures, [status])
        const next = on ? day.statuses.filter((other) => other !== status) : [...day.statuses, status]
        return (
          <li key={status}>
            <Link
              href={dayHref(day, { statuses: next })}
              scroll={false}
              prefetch={false}
              className={classes.chip}
              data-tone={STATUS_TONES[status]}
              aria-current={on || undefined}
            >
              {statuses(status)}
              <span className={classes.count} aria-hidden>
                {format.number(reservations)}
              </span>
              <VisuallyHidden>{t('count', { reservations, covers, on: on ? 'yes' : 'no' })}</VisuallyHidden>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
