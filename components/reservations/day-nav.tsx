import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { LinkButton } from '@/components/ui/link-button'
import { weekStart } from '@/components/ui/service-day'
import { addDays } from '@/lib/dates'
import { calendarDate } from '@/lib/i18n/formats'
import { DatePick } from './date-pick'
import classes from './day-nav.module.css'
import { type DayQuery, dayHref } from './day-query'

/** Links to other days or weeks. */
export function DayNav({ day }: { day: DayQuery }) {
  const t = useTranslations('reservations.days')
  const format = useFormatter()
  const week = day.view === 'week'
  const isNow = week ? weekStart(day.date) === weekStart(day.today) : day.date === day.today
  const step = week ? 7 : 1
  const monday = calendarDate(weekStart(day.date))
  const sunday = calendarDate(addDays(weekStart(day.date), 6))
  return (
    <nav className={classes.nav} aria-label={t('label')} data-own-line>
      <LinkButton
        square
        href={dayHref(day, { date: addDays(day.date, -step) })}
        aria-label={t(week ? 'previousWeek' : 'previous')}
      >
        <IconChevronLeft size={18} aria-hidden />
      </LinkButton>
      <DatePick
        date={day.date}
        today={day.today}
        shown={
          week
            ? format.dateTimeRange(monday, sunday, { day: 'numeric', month: 'short', timeZone: 'UTC' })
            : format.dateTime(calendarDate(day.date), 'shortDate')
        }
      />
      <LinkButton
        square
        href={dayHref(day, { date: addDays(day.date, step) })}
        aria-label={t(week ? 'nextWeek' : 'next')}
      >
        <IconChevronRight size={18} aria-hidden />
      </LinkButton>
      <LinkButton href={dayHref(day, { date: day.today })} aria-current={isNow ? 'date' : undefined}>
        {t(week ? 'thisWeek' : 'today')}
      </LinkButton>
    </nav>
  )
}
