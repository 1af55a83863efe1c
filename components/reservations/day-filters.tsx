import { IconCalendarWeek, IconLayoutList, IconTimeline } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { STATUS_TONES } from '@/components/ui/badge'
import { Link } from '@/components/ui/link'
import { count } from '@/components/ui/service-count'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { ServiceFigure } from '@/lib/overview/reads'
import { VIEWS } from '@/lib/reservations/filters'
import { RESERVATION_STATUSES } from '@/lib/reservations/status'
import classes from './day-filters.module.css'
import { type DayQuery, dayHref } from './day-query'

const ICONS = { list: IconLayoutList, timeline: IconTimeline, week: IconCalendarWeek }

/** Links to the list, the timeline and the week. The week ignores the filters by status and by risk. */
export function ViewSwitch({ day }: { day: DayQuery }) {
  const t = useTranslations('reservations.views')
  return (
    <nav className={classes.switch} aria-label={t('label')}>
      {VIEWS.map((view) => {
        const Picture = ICONS[view]
        return (
          <Link
            key={view}
            href={dayHref(day, { view, ...(view === 'week' ? { status: undefined, risk: undefined } : {}) })}
            scroll={false}
            className={classes.view}
            aria-current={view === day.view ? 'page' : undefined}
          >
            <Picture size={16} stroke={1.7} aria-hidden />
            {t(view)}
          </Link>
        )
      })}
    </nav>
  )
}

interface StatusFilterProps {
  day: DayQuery
  figures: readonly ServiceFigure[]
}

/** The day's totals by status, each a toggle of the filter. */
export function StatusFilter({ day, figures }: StatusFilterProps) {
  const t = useTranslations('reservations.filter')
  const statuses = useTranslations('status.many')
  const format = useFormatter()
  const chosen = day.status ?? []
  return (
    <ul className={classes.list} aria-label={t('label')}>
      {RESERVATION_STATUSES.map((status) => {
        const on = chosen.includes(status)
        const { reservations, covers } = count(figures, [status])
        const next = on ? chosen.filter((other) => other !== status) : [...chosen, status]
        return (
          <li key={status}>
            <Link
              href={dayHref(day, { status: next })}
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
