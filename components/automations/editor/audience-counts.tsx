'use client'
import { useFormatter, useTranslations } from 'next-intl'
import type { AutomationPreview } from '@/lib/automations/schema'
import classes from './preview-panel.module.css'

const SKIPS = [
  'no_address',
  'suppressed',
  'no_consent',
  'no_provider',
  'no_app_url',
  'needs_template',
  'frequency_cap',
  'duplicate',
] as const

/** How many match, how many of them would get it, and why the others would not. */
export function AudienceCounts({ preview }: { preview: AutomationPreview }) {
  const t = useTranslations('client.automationEditor.preview')
  const reasons = useTranslations('client.automations.reasons')
  const format = useFormatter()
  const { matched, to_send, held_by_quiet_hours, skipped } = preview
  return (
    <div>
      <h3 className={classes.title}>{t('audience')}</h3>
      <dl className={classes.counts}>
        <dt>{t('matched')}</dt>
        <dd>{format.number(matched)}</dd>
        {SKIPS.filter((reason) => skipped[reason] > 0).map((reason) => (
          <Less key={reason} label={reasons(reason)} count={`−${format.number(skipped[reason])}`} />
        ))}
        <dt data-main>{t('toSend')}</dt>
        <dd data-main>{format.number(to_send)}</dd>
        {held_by_quiet_hours > 0 ? (
          <Less label={t('held')} count={format.number(held_by_quiet_hours)} />
        ) : null}
      </dl>
    </div>
  )
}

function Less({ label, count }: { label: string; count: string }) {
  return (
    <>
      <dt data-less>{label}</dt>
      <dd data-less>{count}</dd>
    </>
  )
}
