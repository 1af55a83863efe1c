import { useTranslations } from 'next-intl'
import type { CohortGroup, Split, TierRevenue } from '@/lib/reports/schema'

/** The names of a split's parts in words. */
export function useGroupName(split: Split | undefined) {
  const t = useTranslations('reports')
  return ({ key, name, rest }: CohortGroup): string => {
    if (!split) return t('all')
    if (rest) return t('groups.rest')
    if (key === null) return t('groups.unknown')
    if (key === 'pms' || key === 'manual' || key === 'walk_in') {
      if (split === 'channel') return t(`channels.${key}`)
    }
    return name ?? key
  }
}

/** The names of the tiers, and of visits without one. */
export function useTierName() {
  const t = useTranslations('reports.tiers')
  return ({ known, name }: TierRevenue): string => (known ? (name ?? t('none')) : t('nobody'))
}
