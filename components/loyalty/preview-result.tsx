'use client'
import { useFormatter, useTranslations } from 'next-intl'
import { useEffect, useRef } from 'react'
import type { LoyaltyPreview } from '@/lib/loyalty/schema'
import { cellKey } from './grid-cells'
import classes from './rules-grid.module.css'
import { TierTable } from './tier-table'

interface Named {
  id: string
  name: string
}

interface PreviewResultProps {
  preview: LoyaltyPreview
  tiers: readonly Named[]
  locations: readonly Named[]
}

/** How many customers would rise to each tier if the rules were saved and every tier evaluated. */
export function PreviewResult({ preview, tiers, locations }: PreviewResultProps) {
  const t = useTranslations('client.loyalty.preview')
  const format = useFormatter()
  const ref = useRef<HTMLElement>(null)
  // It may appear behind the bar or below the window's edge.
  useEffect(() => {
    // scrollIntoView returns a promise in newer browsers, and an effect may not return one.
    ref.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const counts = new Map(
    preview.rises.map(({ location_id, tier_id, customers }) => [cellKey(location_id, tier_id), customers]),
  )
  const total = preview.rises.reduce((sum, { customers }) => sum + customers, 0)
  const shown = locations.filter(({ id }) => preview.rises.some(({ location_id }) => location_id === id))
  return (
    <section ref={ref} className={classes.preview} aria-label={t('title')}>
      <p role="status" className={classes.total}>
        {t('total', { evaluated: preview.evaluated, count: total })}
      </p>
      {shown.length > 0 ? (
        <TierTable
          caption={t('caption')}
          location={t('location')}
          columns={tiers.map(({ name }) => name)}
          rows={shown.map(({ id, name }) => ({
            id,
            name,
            cells: tiers.map((tier) => {
              const count = counts.get(cellKey(id, tier.id)) ?? 0
              return { text: count > 0 ? `+${format.number(count)}` : '0', strong: count > 0 }
            }),
          }))}
        />
      ) : null}
      <p className={classes.note}>{t('note')}</p>
    </section>
  )
}
