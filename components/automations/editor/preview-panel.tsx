'use client'
import { Loader } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { Panel } from '@/components/ui/panel'
import { AudienceCounts } from './audience-counts'
import { MessagePreview } from './message-preview'
import classes from './preview-panel.module.css'
import type { PreviewState } from './use-preview'

/** Who would hear and what they would read, as the form stands. */
export function PreviewPanel({ loading, preview, problem }: PreviewState) {
  const t = useTranslations('client.automationEditor.preview')
  const trouble = problem === null ? null : t(problem === 'failed' ? 'failed' : 'problem')
  return (
    <Panel
      title={t('title')}
      aside={
        <span className={classes.state}>
          {loading ? <Loader size={12} aria-hidden /> : null}
          {loading ? t('loading') : trouble ? '' : t('updated')}
        </span>
      }
    >
      <div className={classes.body} aria-busy={loading} data-stale={loading || trouble ? true : undefined}>
        <p className={classes.trouble} role="status">
          {loading ? null : trouble}
        </p>
        {preview ? (
          <>
            <AudienceCounts preview={preview} />
            <MessagePreview preview={preview} />
          </>
        ) : null}
      </div>
    </Panel>
  )
}
