import { getFormatter, getTranslations } from 'next-intl/server'
import { ColumnChart } from '@/components/ui/column-chart'
import { Panel } from '@/components/ui/panel'
import { weekStart } from '@/components/ui/service-day'
import type { Session } from '@/lib/auth/session'
import { addDays } from '@/lib/dates'
import { calendarDate } from '@/lib/i18n/formats'
import { type KnownDays, knownOf } from '@/lib/locations/known-days'
import type { Location } from '@/lib/locations/locations'
import { type DailyFigure, weeksSummary } from '@/lib/overview/reads'
import classes from './covers.module.css'

interface WeekCompareProps {
  session: Session
  today: string
  locationId?: string
  /** The locations whose covers are compared. */
  locations: readonly Location[]
}

/**
 * This week's covers beside last week's, weekday by weekday, as a chart and as a table. What is booked stands apart from
 * what was served, and only the latter is compared.
 */
export async function WeekCompare({ session, today, locationId, locations }: WeekCompareProps) {
  const monday = weekStart(today)
  const [figures, t, format] = await Promise.all([
    weeksSummary(session, { from: addDays(monday, -7), to: addDays(monday, 6), locationId }),
    getTranslations('home.week'),
    getFormatter(),
  ])
  const days = weekDays(figures, monday, locations)
  const { current, change, ahead } = served(days, today)
  const isKnown = days.some((day) => day.date <= today && day.current !== null)
  const weekday = (date: string, weekday: 'short' | 'long') =>
    format.dateTime(calendarDate(date), { weekday, timeZone: 'UTC' })
  const share = format.number(change ?? 0, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  })
  return (
    <Panel
      title={t('title')}
      aside={t('summary', {
        count: current,
        shown: format.number(current),
        share,
        ahead,
        aheadShown: format.number(ahead),
        known: !isKnown ? 'none' : change === null ? 'no' : 'yes',
      })}
    >
      <div className={classes.chart} aria-hidden="true">
        <ColumnChart
          groups={days.map(({ date, previous, current }) => ({
            label: weekday(date, 'short'),
            values: [previous, current],
            planned: date >= today,
          }))}
          series={[
            { label: t('previous'), color: 'var(--bar-before)' },
            { label: t('current'), color: 'var(--ink)' },
          ]}
          format={(covers) => format.number(covers)}
          missing={t('noData')}
          planned={t('planned')}
        />
        {figures.length === 0 &&
        days.every(({ current, previous }) => current !== null && previous !== null) ? (
          <p className={classes.empty}>{t('empty')}</p>
        ) : null}
      </div>
      <div className={classes.hidden}>
        <table>
          <caption>{t('caption')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('day')}</th>
              <th scope="col">{t('previous')}</th>
              <th scope="col">{t('current')}</th>
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.date}>
                <th scope="row">{weekday(day.date, 'long')}</th>
                <td>{day.previous ?? t('noData')}</td>
                <td>
                  {day.current === null
                    ? t('noData')
                    : day.date >= today
                      ? t('booked', { count: day.current })
                      : day.current}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

/** The covers of a day and of the same weekday a week before; null where no data was fetched. */
interface WeekDay {
  date: string
  current: number | null
  previous: number | null
}

/** The covers of a week's days in some locations beside those of the week before. */
export function weekDays(
  figures: readonly DailyFigure[],
  monday: string,
  locations: readonly KnownDays[],
): WeekDay[] {
  const covers = new Map<string, number>()
  for (const figure of figures)
    covers.set(figure.service_date, (covers.get(figure.service_date) ?? 0) + figure.covers)
  const on = (date: string) => covers.get(date) ?? (knownOf(locations, [date]) === 'none' ? null : 0)
  return Array.from({ length: 7 }, (_, index) => {
    const date = addDays(monday, index)
    return { date, current: on(date), previous: on(addDays(date, -7)) }
  })
}

/**
 * The covers of the days before today, those of the same weekdays a week before, and the change as a share (null when
 * there is no such day, or the week before has no covers or unknown days); and the covers that are booked from today on.
 */
export function served(days: readonly WeekDay[], today: string) {
  const past = days.filter(({ date }) => date < today)
  const ahead = days.reduce((sum, { date, current }) => sum + (date < today ? 0 : (current ?? 0)), 0)
  const current = past.reduce((sum, day) => sum + (day.current ?? 0), 0)
  const previous = past.reduce((sum, day) => sum + (day.previous ?? 0), 0)
  const comparable = previous > 0 && past.every((day) => day.current !== null && day.previous !== null)
  return { current, previous, change: !comparable ? null : (current - previous) / previous, ahead }
}
