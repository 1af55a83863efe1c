import { IconStar } from '@tabler/icons-react'
import { getFormatter, getTranslations } from 'next-intl/server'
import { BarRows } from '@/components/ui/bar-rows'
import { EmptyState } from '@/components/ui/empty-state'
import { Panel } from '@/components/ui/panel'
import type { Session } from '@/lib/auth/session'
import type { Tier } from '@/lib/loyalty/schema'
import { tierDistribution } from '@/lib/loyalty/tiers'
import { Recalculate } from './loyalty-actions'
import classes from './panels.module.css'
import { TierTable, tierColor } from './tier-table'

interface DistributionPanelProps {
  session: Session
  tiers: readonly Tier[]
  locations: readonly { id: string; name: string }[]
}

/**
 * The number of customers in each tier by location, as bars and as a table; and a button that evaluates all tiers
 * now.
 */
export async function DistributionPanel({ session, tiers, locations }: DistributionPanelProps) {
  const [counts, t, format] = await Promise.all([
    tierDistribution(session),
    getTranslations('loyalty.distribution'),
    getFormatter(),
  ])
  const columns = [
    ...tiers.map(({ id, name }, index) => ({ id, name, color: tierColor(name, index, tiers.length) })),
    { id: null, name: t('noTier'), color: 'var(--line)' },
  ]
  const rows = locations.map((location) => ({
    ...location,
    counts: columns.map(
      ({ id }) => counts.find((one) => one.location_id === location.id && one.tier_id === id)?.customers ?? 0,
    ),
  }))
  const some = rows.some((row) => row.counts.some((count) => count > 0))
  return (
    <Panel title={t('title')} aside={<Recalculate />}>
      {some ? (
        <>
          <BarRows
            rows={rows.map(({ id, name, counts }) => ({ id, label: name, values: counts }))}
            series={columns.map(({ name, color }) => ({ label: name, color }))}
            format={(customers) => format.number(customers)}
            scale="share"
          />
          <div className={classes.table}>
            <TierTable
              caption={t('title')}
              location={t('location')}
              columns={columns.map(({ name }) => name)}
              rows={rows.map(({ id, name, counts }) => ({
                id,
                name,
                cells: counts.map((count) => ({ text: format.number(count) })),
              }))}
            />
          </div>
        </>
      ) : (
        <EmptyState icon={IconStar} title={t('none')} text={t('noneText')} />
      )}
    </Panel>
  )
}
