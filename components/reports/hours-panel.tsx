import { useFormatter, useTranslations } from 'next-intl'
import { heatStep } from '@/components/ui/heat'
import heat from '@/components/ui/heat.module.css'
import { Panel } from '@/components/ui/panel'
import { ScrollingTable } from '@/components/ui/scrolling-table'
import { addDays } from '@/lib/dates'
import { calendarDate } from '@/lib/i18n/formats'
import { meanCovers, shownHours } from '@/lib/reports/hours'
import type { Hours } from '@/lib/reports/schema'
import classes from './reports.module.css'

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6]
const A_MONDAY = '2024-01-01'
const STEPS = [1, 2, 3, 4, 5]

/** The mean covers of each weekday and hour as a table; the more covers, the darker the cell. */
export function HoursPanel({ hours: { from, to, all } }: { hours: Hours }) {
  const t = useTranslations('reports.hours')
  const format = useFormatter()
  const hours = shownHours(all)
  const means = WEEKDAYS.map((weekday) => hours.map((hour) => meanCovers(all, weekday, hour)))
  const most = Math.max(0, ...means.flat().map((mean) => mean ?? 0))
  const dayOf = (day: string) =>
    format.dateTime(calendarDate(day), { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  const inWords = (mean: number | null) =>
    mean === null
      ? t('empty')
      : mean > 0 && mean < 0.05
        ? t('few')
        : format.number(mean, { maximumFractionDigits: mean < 10 ? 1 : 0 })
  if (most === 0)
    return (
      <Panel title={t('title')}>
        <p>{t('none')}</p>
      </Panel>
    )
  return (
    <Panel title={t('title')} aside={t('aside', { from: dayOf(from), to: dayOf(to) })} flush>
      <div className={classes.hours}>
        <ScrollingTable label={t('scroll')} caption={t('caption')}>
          <thead>
            <tr>
              <th scope="col">{t('weekday')}</th>
              {hours.map((hour) => (
                <th key={hour} scope="col" data-num>
                  {t('hour', { hour })}
                </th>
              ))}
              <th scope="col" data-num>
                {t('day')}
              </th>
              <th scope="col" data-num>
                {t('days')}
              </th>
            </tr>
          </thead>
          <tbody>
            {WEEKDAYS.map((weekday) => (
              <tr key={weekday}>
                <th scope="row">{format.dateTime(calendarDate(addDays(A_MONDAY, weekday)), 'weekday')}</th>
                {hours.map((hour, index) => {
                  const mean = means[weekday]?.[index] ?? null
                  return (
                    <td key={hour} className={heat.cell} data-heat={heatStep(mean, most)} data-num>
                      {inWords(mean)}
                    </td>
                  )
                })}
                <td data-num>{inWords(meanCovers(all, weekday))}</td>
                <td data-num>{format.number(all.days[weekday] ?? 0, 'grouped')}</td>
              </tr>
            ))}
          </tbody>
        </ScrollingTable>
      </div>
      <div className={classes.note}>
        <p className={classes.scale} aria-hidden="true">
          {t('less')}
          {STEPS.map((step) => (
            <span key={step} className={heat.cell} data-heat={step} />
          ))}
          {t('more')}
        </p>
        <p>{t('note')}</p>
      </div>
    </Panel>
  )
}
