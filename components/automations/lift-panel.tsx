import { useFormatter, useTranslations } from 'next-intl'
import { DataTable } from '@/components/ui/data-table'
import { Figure, Figures } from '@/components/ui/figures'
import { Money } from '@/components/ui/money'
import { Panel } from '@/components/ui/panel'
import {
  type AutomationLift,
  hasControl,
  LIFT_MINIMUM,
  type LiftDifference,
} from '@/lib/automations/lift-schema'
import classes from './results-panel.module.css'

interface LiftPanelProps {
  lift: AutomationLift
  /** What wrote the messages. */
  of?: 'automation' | 'campaign'
}

/** The lift of an automation or a campaign: visits and revenue of both groups, and their difference per 1,000 guests. */
export function LiftPanel({ lift, of = 'automation' }: LiftPanelProps) {
  const t = useTranslations('automations.lift')
  const format = useFormatter()
  const { control_share, days, waiting, treated, control, visits, revenue } = lift
  if (!hasControl(lift))
    return (
      <Panel title={t('title')}>
        <p>{t(`none.${of}`)}</p>
      </Panel>
    )
  const count = (value: number) =>
    format.number(value, { maximumFractionDigits: 0, signDisplay: 'exceptZero', useGrouping: 'always' })
  const money = (value: number) =>
    format.number(value, {
      style: 'currency',
      currency: 'EUR',
      maximumFractionDigits: 0,
      signDisplay: 'exceptZero',
      useGrouping: 'always',
    })
  return (
    <Panel title={t('title')} aside={t('share', { share: control_share })}>
      <Figures>
        <DifferenceFigure label={t('visits')} difference={visits} text={count} />
        <DifferenceFigure label={t('revenue')} difference={revenue} text={money} />
      </Figures>
      <div className={classes.apart}>
        <DataTable caption={t('list')}>
          <thead>
            <tr>
              <th scope="col">{t('group')}</th>
              <th scope="col" data-num>
                {t('guests')}
              </th>
              <th scope="col" data-num data-wide>
                {t('came')}
              </th>
              <th scope="col" data-num>
                {t('made')}
              </th>
              <th scope="col" data-num>
                {t('money')}
              </th>
            </tr>
          </thead>
          <tbody>
            {[
              { name: t('treated'), group: treated },
              { name: t('control'), group: control },
            ].map(({ name, group }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td data-num>{format.number(group.guests, 'grouped')}</td>
                <td data-num data-wide>
                  {format.number(group.came, 'grouped')}
                </td>
                <td data-num>{format.number(group.visits, 'grouped')}</td>
                <td data-num>
                  <Money value={group.revenue} estimate={group.estimated_revenue > 0} />
                </td>
              </tr>
            ))}
          </tbody>
        </DataTable>
      </div>
      {waiting > 0 ? <p className={classes.explain}>{t('waiting', { count: waiting, days })}</p> : null}
      <p className={classes.explain}>{t(`explain.${of}`, { days })}</p>
    </Panel>
  )
}

interface DifferenceFigureProps {
  label: string
  difference: LiftDifference
  text: (value: number) => string
}

/** A difference with its interval, or "not known yet" with the reason. */
function DifferenceFigure({ label, difference, text }: DifferenceFigureProps) {
  const t = useTranslations('automations.lift')
  const { known, per_thousand, low, high } = difference
  if (per_thousand === null || low === null || high === null) {
    const why = known === 'no_control' || known === 'no_treated' ? t(known) : t('too_few', LIFT_MINIMUM)
    return <Figure label={label} value={t('unknown')} note={why} />
  }
  return (
    <Figure
      label={label}
      value={known === 'unclear' ? t('unknown') : text(per_thousand)}
      note={t('between', { low: text(low), high: text(high) })}
    />
  )
}
