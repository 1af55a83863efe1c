import { IconChevronRight } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import { calendarDate } from '@/lib/i18n/formats'
import { dayHref } from './day-query'
import classes from './week.module.css'
import { hasNoData, sumOf, type WeekViewProps } from './week-figures'

/** The week on a phone: a line for each day, with its locations below. */
export function WeekList({ day, dates, locations, figures }: WeekViewProps) {
  const t = useTranslations('reservations.week')
  const format = useFormatter()
  return (
    <ul className={classes.narrow} aria-label={t('caption')}>
      {dates.map((date) => {
        const sum = sumOf(figures, locations, [date])
        const { reservations, covers, no_shows } = sum
        const noData = hasNoData(sum)
        const open = locations.flatMap((location) => {
          const { id, name } = location
          const here = sumOf(figures, [location], [date])
          if (hasNoData(here)) return [{ id, name, text: t('noData') }]
          return here.reservations > 0 ? [{ id, name, text: t('covers', { count: here.covers }) }] : []
        })
        return (
          <li key={date} data-today={date === day.today || undefined}>
            <Link href={dayHref(day, { view: 'list', date })} prefetch={false} className={classes.date}>
              <strong>{format.dateTime(calendarDate(date), 'shortDate')}</strong>
              <span>{noData ? t('noData') : t('cell', { reservations, covers, noShows: no_shows })}</span>
              <IconChevronRight size={16} aria-hidden />
            </Link>
            {locations.length > 1 && open.length > 0 && !noData ? (
              <ul className={classes.places}>
                {open.map((place) => (
                  <li key={place.id}>
                    <span>{place.name}</span>
                    <span>{place.text}</span>
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
