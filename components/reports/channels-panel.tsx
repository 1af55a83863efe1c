import { useFormatter, useTranslations } from 'next-intl'
import { BarRows } from '@/components/ui/bar-rows'
import { Panel } from '@/components/ui/panel'
import { ScrollingTable } from '@/components/ui/scrolling-table'
import type { HoursPart } from '@/lib/reports/schema'
import classes from './reports.module.css'

/** Covers and visits by how they came, as bars and as a table. */
export function ChannelsPanel({ channels }: Pick<HoursPart, 'channels'>) {
  const t = useTranslations('reports')
  const format = useFormatter()
  const total = channels.reduce((sum, { covers }) => sum + covers, 0)
  if (total === 0) return null
  const grouped = (value: number) => format.number(value, 'grouped')
  return (
    <Panel title={t('sources.title')} aside={t('sources.aside')}>
      <BarRows
        rows={channels.map(({ channel, covers }) => ({
          ...{ id: channel, label: t(`channels.${channel}`), values: [covers] },
        }))}
        series={[{ label: t('sources.covers'), color: 'var(--ink)' }]}
        format={grouped}
        scale="count"
      />
      <div className={classes.tiers}>
        <ScrollingTable label={t('sources.scroll')} caption={t('sources.title')}>
          <thead>
            <tr>
              <th scope="col">{t('sources.channel')}</th>
              {(['visits', 'covers', 'share'] as const).map((column) => (
                <th key={column} scope="col" data-num>
                  {t(`sources.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {channels.map(({ channel, visits, covers }) => (
              <tr key={channel}>
                <th scope="row">{t(`channels.${channel}`)}</th>
                <td data-num>{grouped(visits)}</td>
                <td data-num>{grouped(covers)}</td>
                <td data-num>{t('sources.percent', { share: covers / total })}</td>
              </tr>
            ))}
          </tbody>
        </ScrollingTable>
      </div>
    </Panel>
  )
}
