import { useFormatter, useTranslations } from 'next-intl'
import { DataTable } from '@/components/ui/data-table'
import { Link } from '@/components/ui/link'
import { calendarDate } from '@/lib/i18n/formats'
import { dayHref } from './day-query'
import classes from './week.module.css'
import { WeekCell } from './week-cell'
import { sumOf, type WeekViewProps } from './week-figures'

/** The week as a table: a row for each location, a column for each day. Not on a phone. */
export function WeekTable({ day, dates, locations, figures }: WeekViewProps) {
  const t = useTranslations('reservations.week')
  const format = useFormatter()
  const busiest = Math.max(1, ...figures.map(({ covers }) => covers))
  return (
    <div className={classes.wide}>
      <DataTable caption={t('caption')}>
        <thead>
          <tr>
            <th scope="col">{t('location')}</th>
            {dates.map((date) => (
              <th key={date} scope="col" data-num data-today={date === day.today || undefined}>
                <Link href={dayHref(day, { view: 'list', date })} prefetch={false}>
                  {format.dateTime(calendarDate(date), 'shortDate')}
                </Link>
              </th>
            ))}
            <th scope="col" data-num>
              {t('week')}
            </th>
          </tr>
        </thead>
        <tbody>
          {locations.map((location) => (
            <tr key={location.id}>
              <th scope="row">{location.name}</th>
              {dates.map((date) => {
                const sum = sumOf(figures, [location], [date])
                return (
                  <td key={date} data-num>
                    <WeekCell
                      sum={sum}
                      heat={sum.covers / busiest}
                      href={dayHref(day, { view: 'list', date, location })}
                    />
                  </td>
                )
              })}
              <td data-num>
                <WeekCell sum={sumOf(figures, [location], dates)} />
              </td>
            </tr>
          ))}
        </tbody>
        {locations.length > 1 ? (
          <tfoot>
            <tr>
              <th scope="row">{t('total')}</th>
              {dates.map((date) => (
                <td key={date} data-num>
                  <WeekCell sum={sumOf(figures, locations, [date])} />
                </td>
              ))}
              <td data-num>
                <WeekCell sum={sumOf(figures, locations, dates)} />
              </td>
            </tr>
          </tfoot>
        ) : null}
      </DataTable>
    </div>
  )
}
