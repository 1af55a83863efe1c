import { useFormatter, useTranslations } from 'next-intl'
import { ColumnChart } from '@/components/ui/column-chart'
import { Panel } from '@/components/ui/panel'
import { ScrollingTable } from '@/components/ui/scrolling-table'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { TrendWeek } from '@/lib/feedback/schema'
import { calendarDate } from '@/lib/i18n/formats'
import classes from './feedback.module.css'

/** Average score and number of answers by week and location; a chart of all of them and a table. Nothing without answers. */
export function TrendPanel({ trend }: { trend: readonly TrendWeek[] }) {
  const t = useTranslations('feedback.trend')
  const format = useFormatter()
  const rows = byLocation(trend)
  if (rows.length === 0) return null
  const weeks = rows[0]?.weeks ?? []
  const all = weeks.map((_, index) => together(rows.flatMap((row) => row.weeks[index] ?? [])))
  const average = (value: number) =>
    format.number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return (
    <Panel title={t('title')} aside={t('legend')} flush>
      <div className={classes.chart}>
        <ColumnChart
          groups={weeks.map(({ week }, index) => ({
            label: format.dateTime(calendarDate(week), { day: 'numeric', month: 'numeric', timeZone: 'UTC' }),
            values: [all[index]?.average ?? null],
          }))}
          series={[{ label: t('average'), color: 'var(--ink)' }]}
          format={average}
          missing={t('none')}
        />
      </div>
      <ScrollingTable label={t('scroll')} caption={t('caption')}>
        <thead>
          <tr>
            <th scope="col">{t('location')}</th>
            {weeks.map(({ week }) => (
              <th key={week} scope="col" data-num>
                {format.dateTime(calendarDate(week), { day: 'numeric', month: 'short', timeZone: 'UTC' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, weeks: cells }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {cells.map(({ week, answers, average: value }) => (
                <td key={week} data-num>
                  <span aria-hidden>
                    {value === null ? '–' : average(value)}
                    {value === null ? null : (
                      <small className={classes.answers}>{format.number(answers)}</small>
                    )}
                  </span>
                  <VisuallyHidden>
                    {value === null ? t('none') : `${average(value)}, ${t('answers', { count: answers })}`}
                  </VisuallyHidden>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </ScrollingTable>
    </Panel>
  )
}

/** The weeks of each location that has answers. */
function byLocation(trend: readonly TrendWeek[]) {
  const places = Map.groupBy(trend, ({ location_id }) => location_id)
  return [...places].flatMap(([id, weeks]) =>
    weeks.some(({ answers }) => answers > 0) ? [{ id, name: weeks[0]?.location ?? '', weeks }] : [],
  )
}

/** The average over all answers of a week. */
function together(weeks: readonly TrendWeek[]): { average: number | null } {
  const answers = weeks.reduce((sum, week) => sum + week.answers, 0)
  const stars = weeks.reduce((sum, week) => sum + week.answers * (week.average ?? 0), 0)
  return { average: answers > 0 ? stars / answers : null }
}
