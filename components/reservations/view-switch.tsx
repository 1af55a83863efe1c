import { IconCalendarWeek, IconLayoutList, IconTimeline } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import { type DayQuery, dayHref, VIEWS } from './day-query'
import classes from './view-switch.module.css'

const ICONS = { list: IconLayoutList, timeline: IconTimeline, week: IconCalendarWeek }

/** The same reservations as a list, by hour, or by week. */
export function ViewSwitch({ day }: { day: DayQuery }) {
  const t = useTranslations('reservations.views')
  return (
    <nav className={classes.switch} aria-label={t('label')}>
      {VIEWS.map((view) => {
        const Picture = ICONS[view]
        return (
          <Link
            key={view}
            href={dayHref(day, { view })}
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
