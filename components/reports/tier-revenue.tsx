import { useFormatter, useTranslations } from 'next-intl'
import { BarRows } from '@/components/ui/bar-rows'
import { Money } from '@/components/ui/money'
import { Panel } from '@/components/ui/panel'
import { ScrollingTable } from '@/components/ui/scrolling-table'
import type { TierRevenue } from '@/lib/reports/schema'
import { useTierName } from './names'
import classes from './reports.module.css'

/** Revenue, visits and guests by tier, as bars and as a table. */
export function TierRevenuePanel({ tiers }: { tiers: readonly TierRevenue[] }) {
  const t = useTranslations('reports.tiers')
  const format = useFormatter()
  const nameOf = useTierName()
  const shown = tiers.filter(({ id, visits }) => id !== null || visits > 0)
  const sum = (pick: (tier: TierRevenue) => number) => shown.reduce((all, tier) => all + pick(tier), 0)
  const total = sum(({ revenue }) => revenue)
  const estimated = shown.some((tier) => tier.estimated_revenue > 0)
  const idOf = ({ id, known }: TierRevenue) => id ?? (known ? 'none' : 'nobody')
  return (
    <Panel title={t('title')} aside={t('aside')}>
      <BarRows
        rows={shown.map((tier) => ({ id: idOf(tier), label: nameOf(tier), values: [tier.revenue] }))}
        series={[{ label: t('revenue'), color: 'var(--ink)' }]}
        format={(value) =>
          format.number(value, { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 })
        }
        scale="count"
      />
      <div className={classes.tiers}>
        <ScrollingTable label={t('scroll')} caption={t('title')}>
          <thead>
            <tr>
              <th scope="col">{t('tier')}</th>
              {(['guests', 'visits', 'revenue', 'share', 'perVisit'] as const).map((column) => (
                <th key={column} scope="col" data-num>
                  {t(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((tier) => (
              <tr key={idOf(tier)}>
                <th scope="row">{nameOf(tier)}</th>
                <td data-num>{tier.known ? format.number(tier.guests, 'grouped') : t('empty')}</td>
                <td data-num>{format.number(tier.visits, 'grouped')}</td>
                <td data-num>
                  <Money value={tier.revenue} estimate={tier.estimated_revenue > 0} />
                </td>
                <td data-num>{total > 0 ? t('percent', { share: tier.revenue / total }) : t('empty')}</td>
                <td data-num>
                  {tier.visits > 0 ? (
                    <Money value={tier.revenue / tier.visits} estimate={tier.estimated_revenue > 0} />
                  ) : (
                    t('empty')
                  )}
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('total')}</th>
              <td data-num>
                {format.number(
                  sum(({ guests }) => guests),
                  'grouped',
                )}
              </td>
              <td data-num>
                {format.number(
                  sum(({ visits }) => visits),
                  'grouped',
                )}
              </td>
              <td data-num>
                <Money value={total} estimate={estimated} />
              </td>
              <td data-num>{total > 0 ? t('percent', { share: 1 }) : t('empty')}</td>
              <td data-num>
                {total > 0 ? (
                  <Money value={total / sum(({ visits }) => visits)} estimate={estimated} />
                ) : (
                  t('empty')
                )}
              </td>
            </tr>
          </tfoot>
        </ScrollingTable>
      </div>
    </Panel>
  )
}
