import { useFormatter, useTranslations } from 'next-intl'
import { ColumnChart } from '@/components/ui/column-chart'
import { Panel } from '@/components/ui/panel'
import type { ServiceFigure } from '@/lib/overview/service-summary'
import classes from './covers-by-hour.module.css'
import { coversByHour } from './hours'

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
          series={[{ label: t('covers'), color: 'var(--accent-fill)' }]}
          format={(covers) => format.number(covers)}
        />
        {empty ? <p className={classes.empty}>{t(known ? 'empty' : 'noData')}</p> : null}
      </div>
      <table className={classes.hidden}>
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
              <td>{covers}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
