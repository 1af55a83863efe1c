import { getFormatter, getTranslations } from 'next-intl/server'
import { ColumnChart } from '@/components/ui/column-chart'
import { Panel } from '@/components/ui/panel'
import { weekStart } from '@/components/ui/service-day'
import type { Session } from '@/lib/auth/session'
import { calendarDate } from '@/lib/i18n/formats'
import type { Location } from '@/lib/organization/list-locations'
import { dailySummary } from '@/lib/overview/daily-summary'
import { addDays } from '@/lib/pms/sync/window'
import classes from './covers-by-hour.module.css'
import { upTo, weekDays } from './week-days'

interface WeekCompareProps {
  session: Session
  today: string
  locationId?: string
  /** Whose covers these are. */
  locations: readonly Location[]
}

/** This week's covers beside last week's, weekday by weekday, as a chart and as a table. */
export async function WeekCompare({ session, today, locationId, locations }: WeekCompareProps) {
  const monday = weekStart(today)
  const [figures, t, format] = await Promise.all([
    dailySummary(session, { from: addDays(monday, -7), to: addDays(monday, 6), locationId }),
    getTranslations('home.week'),
    getFormatter(),
  ])
  const days = weekDays(figures, monday, locations)
  const { current, change } = upTo(days, today)
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
        known: change === null ? 'no' : 'yes',
      })}
    >
      <div className={classes.chart} aria-hidden="true">
        <ColumnChart
          groups={days.map(({ date, previous, current }) => ({
            label: weekday(date, 'short'),
            values: [previous, current],
          }))}
          series={[
            { label: t('previous'), color: 'var(--bar-before)' },
            { label: t('current'), color: 'var(--accent-fill)' },
          ]}
          format={(covers) => format.number(covers)}
          missing={t('noData')}
        />
        {figures.length === 0 &&
        days.every(({ current, previous }) => current !== null && previous !== null) ? (
          <p className={classes.empty}>{t('empty')}</p>
        ) : null}
      </div>
      <table className={classes.hidden}>
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
              <td>{day.current ?? t('noData')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
