import { useFormatter, useTranslations } from 'next-intl'
import { ColumnChart } from '@/components/ui/column-chart'
import { Figure, Figures } from '@/components/ui/figures'
import { Money } from '@/components/ui/money'
import { Panel } from '@/components/ui/panel'
import { ScrollingTable } from '@/components/ui/scrolling-table'
import { noShowRate } from '@/lib/customers/habits'
import { addDays } from '@/lib/dates'
import { calendarDate } from '@/lib/i18n/formats'
import type { Served, Weeks } from '@/lib/reports/schema'
import { compareWeek, type WeekCompared } from '@/lib/reports/weeks'
import classes from './reports.module.css'
import { LocationPictures, WeekCharts, WeeksTable } from './week-pictures'

/** The last week's money and covers, all weeks as columns beside those of a year before, and each location's week. */
export function WeeksPanel({ weeks }: { weeks: Weeks }) {
  const t = useTranslations('reports.weeks')
  const format = useFormatter()
  const { last_week: last, totals, locations } = weeks
  const total = compareWeek(locations, last)
  const thisWeek = addDays(last, 7)
  const booked = (from: string, of: Weeks['totals'] = totals) =>
    of.find(({ week }) => week === from)?.booked?.covers ?? null
  const dayOf = (day: string) =>
    format.dateTime(calendarDate(day), { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const change = (share: number) =>
    format.number(share, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })
  const changes = ({ sinceMean, sinceYear }: WeekCompared, field: 'revenue' | 'covers') =>
    [
      sinceMean[field] !== null && t('sinceMean', { share: change(sinceMean[field]) }),
      sinceYear[field] !== null && t('sinceYear', { share: change(sinceYear[field]) }),
    ]
      .filter(Boolean)
      .join(' · ')
  const missed = total.served && rateOf(total.served)
  const isEstimate = totals.some(({ served }) => (served?.estimated_revenue ?? 0) > 0)
  const nextWeek = booked(addDays(last, 14))
  const coversOf = (covers: number | null) =>
    covers === null ? t('empty') : format.number(covers, 'grouped')
  const hasYear = totals.some(({ week, year_before }) => week <= last && year_before !== null)
  return (
    <Panel title={t('title')} aside={t('aside', { from: dayOf(last), to: dayOf(addDays(last, 6)) })}>
      <Figures>
        <Figure
          label={t('revenue')}
          value={total.served ? <Euro of={total.served} /> : t('empty')}
          note={changes(total, 'revenue')}
        />
        <Figure
          label={t('covers')}
          value={total.served ? format.number(total.served.covers, 'grouped') : t('empty')}
          note={changes(total, 'covers')}
        />
        <Figure
          label={t('noShows')}
          value={missed === null ? t('empty') : t('rate', { rate: missed })}
          note={
            total.served
              ? t('lost', { noShows: total.served.no_shows, cancelled: total.served.cancelled })
              : undefined
          }
        />
        <Figure
          label={t('booked')}
          value={coversOf(booked(thisWeek))}
          note={nextWeek === null ? undefined : t('next', { count: nextWeek })}
        />
      </Figures>
      <div className={classes.weeks}>
        <ColumnChart
          groups={totals
            .filter(({ week }) => week <= thisWeek)
            .map(({ week, served, year_before }) => ({
              label: dayOf(week),
              values: [...(hasYear ? [year_before?.revenue ?? null] : []), served?.revenue ?? null],
              planned: week === thisWeek,
            }))}
          series={[
            ...(hasYear ? [{ label: t('yearBefore'), color: 'var(--bar-before)' }] : []),
            { label: t('served'), color: 'var(--ink)' },
          ]}
          format={(value) => format.number(value / 1000, { maximumFractionDigits: value < 10_000 ? 1 : 0 })}
          missing={t('noData')}
          planned={t('soFar')}
        />
      </div>
      <p className={classes.explain}>{t('explain', { estimated: isEstimate ? 'yes' : 'no' })}</p>
      <WeekCharts weeks={weeks} dayOf={dayOf} />
      <WeeksTable weeks={weeks} dayOf={dayOf} />
      {locations.length > 1 ? <LocationPictures weeks={weeks} dayOf={dayOf} changeOf={change} /> : null}
      <div className={classes.tiers}>
        <ScrollingTable label={t('scroll')} caption={t('byLocation', { from: dayOf(last) })}>
          <thead>
            <tr>
              <th scope="col">{t('location')}</th>
              {(['revenue', 'toMean', 'toYear', 'covers', 'noShows', 'booked'] as const).map((column) => (
                <th key={column} scope="col" data-num>
                  {t(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {locations.map((location) =>
              rowOf(
                location.name,
                compareWeek([location], last),
                booked(thisWeek, location.weeks),
                location.id,
              ),
            )}
          </tbody>
          {locations.length > 1 ? <tfoot>{rowOf(t('total'), total, booked(thisWeek))}</tfoot> : null}
        </ScrollingTable>
      </div>
    </Panel>
  )

  function rowOf(
    name: string,
    { served, sinceMean, sinceYear }: WeekCompared,
    covers: number | null,
    key?: string,
  ) {
    const rate = served && rateOf(served)
    return (
      <tr key={key}>
        <th scope="row">{name}</th>
        <td data-num>{served ? <Euro of={served} /> : t('noData')}</td>
        <td data-num>{sinceMean.revenue === null ? t('empty') : change(sinceMean.revenue)}</td>
        <td data-num>{sinceYear.revenue === null ? t('empty') : change(sinceYear.revenue)}</td>
        <td data-num>{served ? format.number(served.covers, 'grouped') : t('empty')}</td>
        <td data-num>{rate === null ? t('empty') : t('rate', { rate })}</td>
        <td data-num>{coversOf(covers)}</td>
      </tr>
    )
  }
}

const Euro = ({ of }: { of: Served }) => (
  <Money value={Math.round(of.revenue)} estimate={of.estimated_revenue > 0} />
)

const rateOf = ({ no_shows, visits }: Served) => noShowRate({ past: no_shows + visits, no_shows })
