import { useFormatter, useTranslations } from 'next-intl'
import { BarRows } from '@/components/ui/bar-rows'
import { Figure, Figures } from '@/components/ui/figures'
import { Money } from '@/components/ui/money'
import { Panel } from '@/components/ui/panel'
import { UrlSelect } from '@/components/ui/url-select'
import type { AutomationResults } from '@/lib/automations/schema'
import classes from './results-panel.module.css'

/** The periods to choose from, in days. */
const PERIODS = [30, 90, 365]

/** The automation's results: figures, and how many messages led to reservations. */
export function ResultsPanel({ results, days }: { results: AutomationResults; days: number }) {
  const t = useTranslations('automations.results')
  const format = useFormatter()
  const { messages, reservations, covers, revenue, estimated_revenue: estimated } = results
  const { total, sent, delivered, simulated } = messages
  const share = sent > 0 ? t('percent', { share: delivered / sent }) : t('noneSent')
  const planned = [t('ofPlanned', { count: total }), simulated > 0 && t('simulated', { count: simulated })]
    .filter(Boolean)
    .join(' · ')
  const data = [
    { step: t('planned'), count: total },
    { step: t('sent'), count: sent },
    { step: t('delivered'), count: delivered },
    { step: t('reservations'), count: reservations },
  ]
  return (
    <>
      <Figures>
        <Figure label={t('sent')} value={format.number(sent)} note={planned} />
        <Figure label={t('delivered')} value={format.number(delivered)} note={share} />
        <Figure
          label={t('reservations')}
          value={format.number(reservations)}
          note={t('covers', { count: covers })}
        />
        <Figure
          label={t('revenue')}
          value={<Money value={revenue} estimate={estimated > 0} />}
          note={estimated > 0 ? t('ruleEstimate', { money: format.number(estimated, 'money') }) : t('rule')}
        />
      </Figures>
      <Panel
        title={t('funnel')}
        aside={
          <UrlSelect
            name="days"
            label={t('days')}
            value={String(days)}
            options={[...new Set([...PERIODS, days])].map((value) => ({
              value: String(value),
              label: t('lastDays', { days: value }),
            }))}
          />
        }
      >
        <BarRows
          rows={data.map(({ step, count }) => ({ id: step, label: step, values: [count] }))}
          series={[{ label: t('count'), color: 'var(--ink)' }]}
          format={(count) => format.number(count)}
          scale="count"
        />
        <div className={classes.hidden}>
          <table>
            <caption>{t('funnel')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('step')}</th>
                <th scope="col">{t('count')}</th>
              </tr>
            </thead>
            <tbody>
              {data.map(({ step, count }) => (
                <tr key={step}>
                  <th scope="row">{step}</th>
                  <td>{format.number(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p className={classes.explain}>{t('explain')}</p>
      </Panel>
    </>
  )
}
