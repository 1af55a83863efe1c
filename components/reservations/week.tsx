import { IconChevronRight } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import type { CSSProperties } from 'react'
import { DataTable } from '@/components/ui/data-table'
import { Link } from '@/components/ui/link'
import { Panel } from '@/components/ui/panel'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { closedPart } from '@/lib/closings/closed-part'
import type { PlacedClosing } from '@/lib/closings/schema'
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
  closings: readonly PlacedClosing[]
}

/** Seven days by location; each day links to its list. */
export function Week({ day, monday, locations, figures, closings }: WeekProps) {
  const t = useTranslations('reservations.week')
  const format = useFormatter()
  const dates = Array.from({ length: 7 }, (_, index) => addDays(monday, index))
  const shown = locations.filter(({ id }) => !day.location || id === day.location.id)
  const sum = sumOf(figures, shown, dates)
  const { reservations, covers, no_shows } = sum
  const view = { day, dates, locations: shown, figures, closings }
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
function WeekTable({ day, dates, locations, figures, closings }: WeekViewProps) {
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
                      closings={closingsOf(closings, location, date)}
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
  closings?: readonly PlacedClosing[]
  /** How busy a day is, from 0 to 1: the strength of the background. */
  heat?: number
  href?: string
}

/** Covers and, smaller, reservations and no-shows. A dash when there are none, a text when they are unknown. */
function WeekCell({ sum, closings = [], heat = 0, href }: WeekCellProps) {
  const t = useTranslations('reservations.week')
  const format = useFormatter()
  const closed = useClosedShort()
  const { reservations, covers, no_shows, known } = sum
  const noData = hasNoData(sum)
  const empty = reservations === 0 && no_shows === 0
  const content = noData ? (
    <span className={classes.unknown}>{closings.length > 0 ? closed(closings) : t('noData')}</span>
  ) : (
    <>
      <span aria-hidden className={classes.figure}>
        {empty ? '–' : format.number(covers)}
        {empty ? null : <small>{t('reservations', { count: reservations })}</small>}
        {known === 'all' || empty ? null : <small>{t('partial')}</small>}
        {no_shows > 0 ? <small data-lost>{t('noShows', { count: no_shows })}</small> : null}
        {closings.length > 0 ? <small data-closed>{closed(closings)}</small> : null}
      </span>
      <VisuallyHidden>
        {t('cell', { reservations, covers, noShows: no_shows })}
        {known === 'all' ? null : `, ${t('partial')}`}
        {closings.length > 0 ? `, ${closed(closings)}` : null}
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
function WeekList({ day, dates, locations, figures, closings }: WeekViewProps) {
  const t = useTranslations('reservations.week')
  const format = useFormatter()
  const closed = useClosedShort()
  return (
    <ul className={classes.narrow} aria-label={t('caption')}>
      {dates.map((date) => {
        const sum = sumOf(figures, locations, [date])
        const { reservations, covers, no_shows } = sum
        const noData = hasNoData(sum)
        const dayClosings = locations.flatMap((each) => closingsOf(closings, each, date))
        const shut = dayClosings.length > 0 ? closed(dayClosings) : null
        const text = noData ? t('noData') : t('cell', { reservations, covers, noShows: no_shows })
        const open = locations.flatMap((location) => {
          const { id, name } = location
          const here = sumOf(figures, [location], [date])
          const closings = dayClosings.filter(({ location_id }) => location_id === id)
          const parts = [
            hasNoData(here) ? t('noData') : null,
            here.reservations > 0 ? t('covers', { count: here.covers }) : null,
            closings.length > 0 ? closed(closings) : null,
          ].filter((part) => part !== null)
          return parts.length > 0 ? [{ id, name, text: parts.join(' · ') }] : []
        })
        return (
          <li key={date} data-today={date === day.today || undefined}>
            <Link href={dayHref(day, { view: 'list', date })} prefetch={false} className={classes.date}>
              <strong>{format.dateTime(calendarDate(date), 'shortDate')}</strong>
              <span>{[text, locations.length === 1 ? shut : null].filter(Boolean).join(' · ')}</span>
              <IconChevronRight size={16} aria-hidden />
            </Link>
            {locations.length > 1 && open.length > 0 && (!noData || dayClosings.length > 0) ? (
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

/** A location's closings on a day. */
const closingsOf = (closings: readonly PlacedClosing[], location: Location, date: string) =>
  closings.filter(({ location_id, day }) => location_id === location.id && day === date)

/** Returns a function that says in a word or two whether all or a part of a day is closed. */
function useClosedShort() {
  const t = useTranslations('reservations.week')
  return (closings: readonly PlacedClosing[]): string =>
    t(closings.some((each) => closedPart(each) === 'day') ? 'closed' : 'partlyClosed')
}
