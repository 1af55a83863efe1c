import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { LinkButton } from '@/components/ui/link-button'
import { calendarDate } from '@/lib/i18n/formats'
import { addDays } from '@/lib/pms/sync/window'
import { DatePick } from './date-pick'
import classes from './day-nav.module.css'
import { type DayQuery, dayHref } from './day-query'

/** The way from day to day. */
export function DayNav({ day }: { day: DayQuery }) {
  const t = useTranslations('reservations.days')
  const format = useFormatter()
  return (
    <nav className={classes.nav} aria-label={t('label')}>
      <LinkButton square href={dayHref(day, { date: addDays(day.date, -1) })} aria-label={t('previous')}>
        <IconChevronLeft size={18} aria-hidden />
      </LinkButton>
      <DatePick
        date={day.date}
        today={day.today}
        shown={format.dateTime(calendarDate(day.date), 'shortDate')}
      />
      <LinkButton square href={dayHref(day, { date: addDays(day.date, 1) })} aria-label={t('next')}>
        <IconChevronRight size={18} aria-hidden />
      </LinkButton>
      <LinkButton
        href={dayHref(day, { date: day.today })}
        aria-current={day.date === day.today ? 'date' : undefined}
      >
        {t('today')}
      </LinkButton>
    </nav>
  )
}
