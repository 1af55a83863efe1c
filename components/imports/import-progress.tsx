'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import classes from './import-progress.module.css'
import type { ImportState } from './use-import'

interface ImportProgressProps {
  state: Extract<ImportState, { kind: 'running' }>
  onCancel: () => void
}

/** How far a running import is, and the way out of it. */
export function ImportProgress({ state, onCancel }: ImportProgressProps) {
  const t = useTranslations('client.import')
  const { processed, total, id, cancelling } = state
  const words = id === null ? t('uploading') : t('processed', { count: processed, total })
  return (
    <div className={classes.progress}>
      <div className={classes.words} role="status">
        {cancelling ? t('cancelling') : words}
      </div>
      <progress
        className={classes.bar}
        aria-label={t('progress')}
        max={total || 1}
        value={total > 0 ? processed : undefined}
      />
      <Button variant="default" onClick={onCancel} disabled={cancelling}>
        {t('cancel')}
      </Button>
      <p className={classes.hint}>{t('cancelHint')}</p>
    </div>
  )
}
