import { useTranslations } from 'next-intl'
import type { TimelineOf } from '@/lib/customers/timeline-schema'
import classes from './timeline.module.css'

type Details = TimelineOf<'change'>['details']

/** Something done to the record: by whom, and which fields; of values the log keeps those of consent alone. */
export function TimelineChange({ details }: { details: Details }) {
  const t = useTranslations('customer.timeline')
  const field = useTranslations('customer.timeline.fields')
  const { action, fields, actor, before, after } = details
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
      <p className={classes.more}>{[named.join(', '), changed(), who()].filter(Boolean).join(' · ')}</p>
    </>
  )

  function changed(): string | null {
    if (after?.opted_out === false) return t('optOuts.lifted')
    if (after?.opted_out) {
      const known = `optOuts.${after.source}` as Parameters<typeof t.has>[0]
      return t.has(known) ? t(known) : null
    }
    if (!before?.basis || !after?.basis || before.basis === after.basis) return null
    return t('fromTo', { before: t(`bases.${before.basis}`), after: t(`bases.${after.basis}`) })
  }

  function who(): string {
    if (actor) return t('by', { actor })
    const source = after?.source ?? before?.source
    if (source === 'import') return t('byImport')
    if (source === 'bounce') return t('byProvider')
    return source && source !== 'manual' && source !== 'staff' ? t('byGuest') : t('bySystem')
  }
}
