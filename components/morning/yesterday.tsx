import { IconToolsKitchen2 } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { Money } from '@/components/ui/money'
import { Panel } from '@/components/ui/panel'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { calendarDate } from '@/lib/i18n/formats'
import { type Compared, MEASURES, type Measure, type Morning } from '@/lib/morning/schema'
import classes from './morning.module.css'

/** The columns that a phone shows; the other figures are below the name. */
const ALWAYS: readonly Measure[] = ['covers', 'revenue']
/** Figures that are worse when they are higher. */
const BAD: readonly Measure[] = ['no_shows', 'cancelled']

/**
 * Yesterday's service by location and in total, each figure beside the same weekday of the week before. The rows are
 * low, so that a dozen locations fit a laptop's screen.
 */
export function Yesterday({ morning }: { morning: Morning }) {
  const t = useTranslations('morning.yesterday')
  const measures = useTranslations('morning.measures')
  const whole = useTranslations('morning')
  const format = useFormatter()
  const { locations, totals, yesterday } = morning
  const title = t('title', { day: format.dateTime(calendarDate(yesterday), 'longDate') })
  if (locations.length === 0)
    return (
      <Panel title={title}>
        <EmptyState icon={IconToolsKitchen2} title={whole('none')} text={whole('noneText')} />
      </Panel>
    )
  return (
    <Panel title={title} aside={t('legend')} flush>
      <div className={classes.compact}>
        <DataTable caption={t('caption')}>
          <thead>
            <tr>
              <th scope="col">{t('location')}</th>
              {MEASURES.map((measure) => (
                <th
                  key={measure}
                  scope="col"
                  data-num
                  data-wide={ALWAYS.includes(measure) ? undefined : 'md'}
                >
                  {measures(measure)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {locations.map(({ id, name, yesterday: day }) => (
              <Row key={id} name={name} day={day} />
            ))}
          </tbody>
          {locations.length > 1 ? (
            <tfoot>
              <Row name={t('total')} day={totals} />
            </tfoot>
          ) : null}
        </DataTable>
      </div>
      <p className={classes.legend}>{t('included')}</p>
    </Panel>
  )
}

/** A location's figures, or the total's. */
function Row({ name, day }: { name: string; day: Compared }) {
  const t = useTranslations('morning.yesterday')
  const { figures } = day
  const mark = figures === null ? t('noData') : day.closed ? t('closed') : null
  return (
    <tr>
      <th scope="row">
        {name}
        {mark ? <small className={classes.mark}>{mark}</small> : null}
        {day.known === 'some' ? <small className={classes.mark}>{t('someKnown')}</small> : null}
        {figures ? (
          <small data-narrow="md">
            {t('rest', {
              reservations: figures.reservations,
              walkIns: figures.walk_ins,
              noShows: figures.no_shows,
              cancelled: figures.cancelled,
            })}
          </small>
        ) : null}
      </th>
      {MEASURES.map((measure) => (
        <td key={measure} data-num data-wide={ALWAYS.includes(measure) ? undefined : 'md'}>
          <Figure day={day} measure={measure} />
        </td>
      ))}
    </tr>
  )
}

/** A figure and, below it, the difference to the week before and to the mean. */
function Figure({ day, measure }: { day: Compared; measure: Measure }) {
  const t = useTranslations('morning.yesterday')
  const format = useFormatter()
  if (day.figures === null) return <span aria-hidden>–</span>
  const value = day.figures[measure]
  const money = measure === 'revenue'
  const change = (of: Compared['since_week']) =>
    of &&
    format.number(of[measure], {
      ...(money ? { style: 'currency', currency: 'EUR' } : {}),
      maximumFractionDigits: 0,
      signDisplay: 'exceptZero',
      useGrouping: 'always',
    })
  const week = change(day.since_week)
  const mean = change(day.since_mean)
  const better = Math.sign(Math.round(day.since_week?.[measure] ?? 0)) * (BAD.includes(measure) ? -1 : 1)
  return (
    <>
      <span className={classes.value}>
        {money ? (
          <Money value={value} estimate={day.estimated_revenue > 0} />
        ) : (
          format.number(value, 'grouped')
        )}
      </span>
      <span className={classes.changes}>
        {week === null && mean === null ? <VisuallyHidden>{t('noChange')}</VisuallyHidden> : null}
        {week === null ? null : (
          <span data-better={better > 0 || undefined} data-worse={better < 0 || undefined}>
            <span aria-hidden>{week}</span>
            <VisuallyHidden>{t('sinceWeek', { change: week })} </VisuallyHidden>
          </span>
        )}
        {mean === null ? null : (
          <span>
            <span aria-hidden>{t('mean', { change: mean })}</span>
            <VisuallyHidden>{t('sinceMean', { change: mean })}</VisuallyHidden>
          </span>
        )}
      </span>
    </>
  )
}
