import { useFormatter, useTranslations } from 'next-intl'
import { Panel } from '@/components/ui/panel'
import type { LoyaltyConfig, Tier } from '@/lib/loyalty/schema'
import { EditTiers } from './loyalty-actions'
import classes from './panels.module.css'
import { tierColor } from './tier-table'

interface TiersPanelProps {
  tiers: readonly Tier[]
  config: LoyaltyConfig
  /** Whether the person may change the programme: only a super_admin may. */
  mayEdit: boolean
}

/** The tiers from lowest to highest: the spend from which a new location gives each, and the multiplier of points. */
export function TiersPanel({ tiers, config, mayEdit }: TiersPanelProps) {
  const t = useTranslations('loyalty')
  const format = useFormatter()
  const spend = new Map(config.tiers.map(({ name, min_spend }) => [name, min_spend]))
  const rows = tiers.map(({ name, points_multiplier }) => ({
    name,
    points_multiplier,
    min_spend: spend.get(name) ?? 0,
  }))
  return (
    <Panel title={t('tiers')} aside={mayEdit ? <EditTiers tiers={rows} /> : t('tiersReadOnly')}>
      <ol className={classes.tiers}>
        {tiers.map(({ id, name, points_multiplier: points }, index) => (
          <li key={id} className={classes.tier}>
            <span
              className={classes.rank}
              style={{ '--tier': tierColor(name, index, tiers.length) } as Record<string, string>}
              aria-hidden
            >
              {index + 1}
            </span>
            <span>
              <strong className={classes.name}>{name}</strong>
              <small className={classes.points}>
                {t('points', {
                  points: format.number(points),
                  spend: format.number(spend.get(name) ?? 0, 'money'),
                })}
              </small>
            </span>
          </li>
        ))}
      </ol>
      <p className={classes.hint}>{t('pointsHint')}</p>
    </Panel>
  )
}
