import { IconChevronRight } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import { calendarDate } from '@/lib/i18n/formats'
import { dayHref } from './day-query'
import classes from './week.module.css'
import { pickDays, sumDays, type WeekViewProps } from './week-figures'

/** The week on a phone: a line for each day, with its locations below. */
export function WeekList({ day, dates, locations, figures }: WeekViewProps) {
  const t = useTranslations('reservations.week')
  const format = useFormatter()
  return (
    <ul className={classes.narrow} aria-label={t('caption')}>
      {dates.map((date) => {
        const { reservations, covers, no_shows } = sumDays(pickDays(figures, { date }))
        const open = locations.flatMap(({ id, name }) => {
          const sum = sumDays(pickDays(figures, { date, location: id }))
          return sum.reservations > 0 ? [{ id, name, covers: sum.covers }] : []
        })
        return (
          <li key={date} data-today={date === day.today || undefined}>
            <Link href={dayHref(day, { view: 'list', date })} prefetch={false} className={classes.date}>
              <strong>{format.dateTime(calendarDate(date), 'shortDate')}</strong>
              <span>{t('cell', { reservations, covers, noShows: no_shows })}</span>
              <IconChevronRight size={16} aria-hidden />
            </Link>
            {locations.length > 1 && open.length > 0 ? (
              <ul className={classes.places}>
                {open.map((place) => (
                  <li key={place.id}>
                    <span>{place.name}</span>
                    <span>{t('covers', { count: place.covers })}</span>
                  </li>
                ))}
              </ul>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}
