import { useFormatter, useTranslations } from 'next-intl'
import { ColumnChart } from '@/components/ui/column-chart'
import { Panel } from '@/components/ui/panel'
import { EXPECTED } from '@/components/ui/service-count'
import type { ServiceFigure } from '@/lib/overview/reads'
import classes from './covers.module.css'

/** Expected covers by hour as a chart, and as a table for screen readers. */
export function CoversByHour({ figures, known }: { figures: readonly ServiceFigure[]; known: boolean }) {
  const t = useTranslations('home.hours')
  const format = useFormatter()
  const data = coversByHour(figures).map(({ hour, covers }) => ({ hour: t('hour', { hour }), covers }))
  const empty = data.every(({ covers }) => covers === 0)
  return (
    <Panel title={t('title')} aside={t('legend')}>
      <div className={classes.chart} aria-hidden="true">
        <ColumnChart
          groups={data.map(({ hour, covers }) => ({ label: hour, values: [covers] }))}
          series={[{ label: t('covers'), color: 'var(--ink)' }]}
          format={(covers) => format.number(covers)}
        />
        {empty ? <p className={classes.empty}>{t(known ? 'empty' : 'noData')}</p> : null}
      </div>
      <div className={classes.hidden}>
        <table>
          <caption>{t('title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('hourColumn')}</th>
              <th scope="col">{t('covers')}</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ hour, covers }) => (
              <tr key={hour}>
                <th scope="row">{hour}</th>
                <td>{covers === 0 && !known ? t('noData') : covers}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

const FIRST_HOUR = 6
const USUAL_HOURS = { from: 12, to: 23 }

/** Expected covers by hour in the order of a service (…, 12 to 23, 0 to 5), without gaps. */
function coversByHour(figures: readonly ServiceFigure[]): { hour: number; covers: number }[] {
  const position = (hour: number) => (hour - FIRST_HOUR + 24) % 24
  const covers = new Map<number, number>()
  for (const { hour, status, covers: guests } of figures)
    if (EXPECTED.includes(status)) covers.set(hour, (covers.get(hour) ?? 0) + guests)
  const positions = [...covers.keys(), USUAL_HOURS.from, USUAL_HOURS.to].map(position)
  const first = Math.min(...positions)
  return Array.from({ length: Math.max(...positions) - first + 1 }, (_, index) => {
    const hour = (first + index + FIRST_HOUR) % 24
    return { hour, covers: covers.get(hour) ?? 0 }
  })
}
