import { useTranslations } from 'next-intl'
import type { TimelineOf } from '@/lib/customers/timeline-schema'
import classes from './timeline.module.css'

type Details = TimelineOf<'change'>['details']

/** Something staff did to the record: who, and which fields; the log keeps no values. */
export function TimelineChange({ details }: { details: Details }) {
  const t = useTranslations('customer.timeline')
  const field = useTranslations('customer.timeline.fields')
  const { action, fields, actor } = details
  const key = `actions.${action.replace('customer.', '')}` as Parameters<typeof t.has>[0]
  const named = (fields ?? []).map((name) => {
    const known = name as Parameters<typeof field.has>[0]
    return field.has(known) ? field(known) : name
  })
  return (
    <>
      <p className={classes.line}>
        <span className={classes.subject}>{t.has(key) ? t(key) : action}</span>
      </p>
      <p className={classes.more}>
        {[named.join(', '), actor ? t('by', { actor }) : t('bySystem')].filter(Boolean).join(' · ')}
      </p>
    </>
  )
}
