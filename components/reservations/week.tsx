import { IconChevronRight } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import type { CSSProperties } from 'react'
import { DataTable } from '@/components/ui/data-table'
import { Link } from '@/components/ui/link'
import { Panel } from '@/components/ui/panel'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { addDays } from '@/lib/dates'
import { calendarDate } from '@/lib/i18n/formats'
import type { Location } from '@/lib/locations/locations'
import type { DailyFigure } from '@/lib/overview/reads'
import { type DayQuery, dayHref } from './day-query'
import classes from './week.module.css'
import { hasNoData, type KnownSum, KnownUntil, sumOf, type WeekViewProps } from './week-figures'

interface WeekProps {
  day: DayQuery
  monday: string
  locations: readonly Location[]
  figures: readonly DailyFigure[]
}

/** Seven days by location; each day links to its list. */
export function Week({ day, monday, locations, figures }: WeekProps) {
  const t = useTranslations('reservations.week')
  const format = useFormatter()
  const dates = Array.from({ length: 7 }, (_, index) => addDays(monday, index))
  const shown = locations.filter(({ id }) => !day.location || id === day.location.id)
  const sum = sumOf(figures, shown, dates)
  const { reservations, covers, no_shows } = sum
  const view = { day, dates, locations: shown, figures }
  return (
    <Panel
      title={t('title')}
      aside={
        hasNoData(sum)
          ? t('noData')
          : t('totals', { reservations, covers, noShows: no_shows, shown: format.number(covers) })
      }
      flush
    >
      <WeekTable {...view} />
      <WeekList {...view} />
      {sum.known === 'all' ? null : <KnownUntil locations={shown} />}
    </Panel>
  )
}

/** The week as a table: a row for each location, a column for each day. Hidden on a phone. */
function WeekTable({ day, dates, locations, figures }: WeekViewProps) {
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

interface WeekCellProps {
  sum: KnownSum
  /** How busy a day is, from 0 to 1: the strength of the background. */
  heat?: number
  href?: string
}

/** Covers and, smaller, reservations and no-shows. A dash when there are none, a text when they are unknown. */
function WeekCell({ sum, heat = 0, href }: WeekCellProps) {
  const t = useTranslations('reservations.week')
  const format = useFormatter()
  const { reservations, covers, no_shows, known } = sum
  const noData = hasNoData(sum)
  const empty = reservations === 0 && no_shows === 0
  const content = noData ? (
    <span className={classes.unknown}>{t('noData')}</span>
  ) : (
    <>
      <span aria-hidden className={classes.figure}>
        {empty ? '–' : format.number(covers)}
        {empty ? null : <small>{t('reservations', { count: reservations })}</small>}
        {known === 'all' || empty ? null : <small>{t('partial')}</small>}
        {no_shows > 0 ? <small data-lost>{t('noShows', { count: no_shows })}</small> : null}
      </span>
      <VisuallyHidden>
        {t('cell', { reservations, covers, noShows: no_shows })}
        {known === 'all' ? null : `, ${t('partial')}`}
      </VisuallyHidden>
    </>
  )
  const style = { '--heat': `${Math.round(heat * 100)}%` } as CSSProperties
  return href ? (
    <Link href={href} prefetch={false} className={classes.cell} style={style}>
      {content}
    </Link>
  ) : (
    <span className={classes.cell}>{content}</span>
  )
}

/** The week on a phone: a line for each day, with its locations below. */
function WeekList({ day, dates, locations, figures }: WeekViewProps) {
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
