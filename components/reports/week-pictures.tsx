import { useFormatter, useTranslations } from 'next-intl'
import { ColumnChart } from '@/components/ui/column-chart'
import { Link } from '@/components/ui/link'
import { addDays } from '@/lib/dates'
import { reportsPage, type Week, type Weeks } from '@/lib/reports/schema'
import { compareWeek } from '@/lib/reports/weeks'
import { AsTable } from './as-table'
import classes from './week-pictures.module.css'

const SERVED = 'var(--ink)'
const LOST = 'var(--bar-before)'

interface WeekChartsProps {
  weeks: Weeks
  dayOf: (day: string) => string
}

interface LocationPicturesProps extends WeekChartsProps {
  /** How a page says a change as a share. */
  changeOf: (share: number) => string
}

/** Covers by week, served and booked, and what did not come. */
export function WeekCharts({ weeks: { totals, last_week: last }, dayOf }: WeekChartsProps) {
  const t = useTranslations('reports.weeks')
  const format = useFormatter()
  const count = (value: number) => format.number(value, 'grouped')
  return (
    <div className={classes.charts}>
      <figure className={classes.chart}>
        <figcaption>{t('coversByWeek')}</figcaption>
        <ColumnChart
          groups={totals.map(({ week, served, booked }) => ({
            label: dayOf(week),
            values: [week > last ? (served?.covers ?? 0) + (booked?.covers ?? 0) : (served?.covers ?? null)],
            planned: week > last,
          }))}
          series={[{ label: t('servedCovers'), color: SERVED }]}
          planned={t('withBooked')}
          format={count}
          missing={t('noData')}
        />
      </figure>
      <figure className={classes.chart}>
        <figcaption>{t('lostByWeek')}</figcaption>
        <ColumnChart
          groups={totals
            .filter(({ week }) => week <= last)
            .map(({ week, served }) => ({
              label: dayOf(week),
              values: [served?.no_shows ?? null, served?.cancelled ?? null],
            }))}
          series={[
            { label: t('noShows'), color: SERVED },
            { label: t('cancelled'), color: LOST },
          ]}
          format={count}
          missing={t('noData')}
        />
      </figure>
    </div>
  )
}

/** A picture of the weeks of each location, all on one scale, with the usual of the last week as a line. */
export function LocationPictures({
  weeks: { locations, last_week: last },
  dayOf,
  changeOf,
}: LocationPicturesProps) {
  const t = useTranslations('reports.weeks')
  const format = useFormatter()
  const thisWeek = addDays(last, 7)
  const shownOf = (all: readonly Week[]) => all.filter(({ week }) => week <= thisWeek)
  const most = Math.max(
    1,
    ...locations.flatMap(({ weeks }) => shownOf(weeks).map(({ served }) => served?.revenue ?? 0)),
  )
  const money = (value: number) => format.number(Math.round(value), 'money')
  return (
    <>
      <h3 className={classes.title}>{t('byLocationTitle')}</h3>
      <p className={classes.explain}>{t('byLocationExplain')}</p>
      <ul className={classes.places}>
        {locations.map(({ id, name, weeks }) => {
          const { served, sinceMean } = compareWeek([{ weeks }], last)
          const change = sinceMean.revenue
          const usual = served && change !== null ? served.revenue / (1 + change) : null
          return (
            <li key={id} className={classes.place}>
              <Link href={reportsPage.href({ location_id: id })}>{name}</Link>
              <p>
                <strong>{served ? money(served.revenue) : t('noData')}</strong>
                {change === null ? null : <small>{changeOf(change)}</small>}
              </p>
              <div className={classes.plot} aria-hidden="true">
                {shownOf(weeks).map(({ week, served: of }) => (
                  <span
                    key={week}
                    title={`${dayOf(week)}: ${of ? money(of.revenue) : t('noData')}`}
                    data-none={of === null || undefined}
                    data-now={week === thisWeek || undefined}
                    style={{ height: of ? `${(of.revenue / most) * 100}%` : undefined }}
                  />
                ))}
                {usual === null ? null : <i style={{ bottom: `${(usual / most) * 100}%` }} />}
              </div>
            </li>
          )
        })}
      </ul>
      <AsTable label={t('scrollLocations')} caption={t('captionLocations')}>
        <thead>
          <tr>
            <th scope="col">{t('location')}</th>
            {shownOf(locations[0]?.weeks ?? []).map(({ week }) => (
              <th key={week} scope="col" data-num>
                {dayOf(week)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {locations.map(({ id, name, weeks }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {shownOf(weeks).map(({ week, served }) => (
                <td key={week} data-num>
                  {served ? format.number(Math.round(served.revenue), 'grouped') : t('empty')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </AsTable>
    </>
  )
}

/** All figures of the weeks behind their pictures. */
export function WeeksTable({ weeks: { totals }, dayOf }: WeekChartsProps) {
  const t = useTranslations('reports.weeks')
  const format = useFormatter()
  const money = (value: number | undefined) =>
    value === undefined ? t('noData') : format.number(Math.round(value), 'money')
  const count = (value: number | undefined) =>
    value === undefined ? t('empty') : format.number(value, 'grouped')
  return (
    <AsTable label={t('scrollWeeks')} caption={t('caption')}>
      <thead>
        <tr>
          <th scope="col">{t('week')}</th>
          {(['served', 'yearBefore', 'covers', 'noShows', 'cancelled', 'bookedCovers'] as const).map(
            (column) => (
              <th key={column} scope="col" data-num>
                {t(column)}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {totals.map(({ week, served, year_before, booked }) => (
          <tr key={week}>
            <th scope="row">{dayOf(week)}</th>
            <td data-num>{money(served?.revenue)}</td>
            <td data-num>{money(year_before?.revenue)}</td>
            <td data-num>{count(served?.covers)}</td>
            <td data-num>{count(served?.no_shows)}</td>
            <td data-num>{count(served?.cancelled)}</td>
            <td data-num>{count(booked?.covers || undefined)}</td>
          </tr>
        ))}
      </tbody>
    </AsTable>
  )
}
