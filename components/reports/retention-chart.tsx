import { useFormatter, useTranslations } from 'next-intl'
import { type Line, LineChart } from '@/components/ui/line-chart'
import { Panel } from '@/components/ui/panel'
import { calendarDate } from '@/lib/i18n/formats'
import { curveOf, pooledCurve } from '@/lib/reports/returns'
import { type CohortGroup, type Reports, type Split, STEPS } from '@/lib/reports/schema'
import { useGroupName } from './names'
import classes from './reports.module.css'

interface RetentionChartProps {
  reports: Reports
  split: Split | undefined
  /** The length of the period in months. */
  months: number
}

/** How many lines a reader can tell apart. */
const MOST_PARTS = 6
const DASHES = [undefined, '6 3', '2 3', '8 3 2 3', '10 4', '1 4']

/**
 * The share of a cohort that had come again by each month (30 days): a line a cohort, the newest darkest; with a split a
 * line for each of its largest parts.
 */
export function RetentionChart({ reports, split, months }: RetentionChartProps) {
  const t = useTranslations('reports.curves')
  const format = useFormatter()
  const groupName = useGroupName(split)
  const last = Math.max(3, Math.min(STEPS, Math.floor(months / 2)))
  const month = (date: string) => format.dateTime(calendarDate(date), 'month')
  const lines = split ? partLines(reports.groups, last, groupName) : cohortLines(reports.groups[0], month)
  const steps = split ? last : STEPS
  const percent = (share: number) => format.number(share, { style: 'percent', maximumFractionDigits: 0 })
  return (
    <Panel title={t('title')} aside={t('aside')}>
      {lines.length === 0 ? (
        <p className={classes.explain}>{t('young', { months: split ? last : 1 })}</p>
      ) : (
        <>
          <LineChart
            lines={lines}
            steps={steps}
            labels={Array.from({ length: Math.floor(steps / 3) + 1 }, (_, index) => ({
              step: index * 3,
              text: t('month', { month: index * 3 }),
            }))}
            format={percent}
          />
          <div className={classes.hidden}>
            <table>
              <caption>{t('caption')}</caption>
              <thead>
                <tr>
                  <th scope="col">{t('cohort')}</th>
                  {Array.from({ length: steps }, (_, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the steps are their numbers
                    <th key={index} scope="col">
                      {t('month', { month: index + 1 })}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {lines.map(({ id, label, values }) => (
                  <tr key={id}>
                    <th scope="row">{label}</th>
                    {Array.from({ length: steps }, (_, index) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: the steps are their numbers
                      <td key={index}>
                        {values[index + 1] === undefined ? t('unknown') : percent(values[index + 1] ?? 0)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p className={classes.explain}>{split ? t('explainParts', { months: last }) : t('explain')}</p>
        </>
      )}
    </Panel>
  )
}

/** A line a cohort that is at least a month old; the legend names the oldest and the newest. */
function cohortLines(group: CohortGroup | undefined, month: (date: string) => string): Line[] {
  const drawn = (group?.cohorts ?? []).filter((cohort) => curveOf(cohort).length > 1)
  return drawn.map((cohort, index) => ({
    id: cohort.month,
    label: month(cohort.month),
    values: curveOf(cohort),
    color: shade(index, drawn.length),
    quiet: index > 0 && index < drawn.length - 1,
  }))
}

function partLines(
  groups: readonly CohortGroup[],
  last: number,
  nameOf: (group: CohortGroup) => string,
): Line[] {
  const drawn = groups.flatMap((group) => {
    const values = pooledCurve(group.cohorts, last)
    return values ? [{ id: `${group.key} ${group.rest}`, label: nameOf(group), values }] : []
  })
  return drawn.slice(0, MOST_PARTS).map((line, index, all) => ({
    ...line,
    color: shade(all.length - 1 - index, all.length),
    dash: DASHES[index],
  }))
}

/** Ink, deeper for later ones. */
function shade(index: number, count: number): string {
  const share = count > 1 ? 35 + Math.round((index / (count - 1)) * 65) : 100
  return `color-mix(in srgb, var(--ink) ${share}%, var(--surface))`
}
