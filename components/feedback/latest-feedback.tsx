import { useFormatter, useTranslations } from 'next-intl'
import type { Feedback } from '@/lib/feedback/schema'
import classes from './feedback.module.css'
import { ScoreBadge } from './score-badge'

/** What a guest said last, beside the facts. Renders nothing when there is nothing. */
export function LatestFeedback({ feedback }: { feedback: Feedback | null }) {
  const t = useTranslations('feedback.latest')
  const format = useFormatter()
  if (!feedback) return null
  const { score, words, location, answered_at } = feedback
  return (
    <section aria-label={t('title')} className={classes.latest}>
      <ScoreBadge score={score} />
      {words ? <q className={classes.quote}>{words}</q> : <span>{t('noWords')}</span>}
      <small>
        {[location, format.dateTime(new Date(answered_at), 'instantDate')].filter(Boolean).join(' · ')}
      </small>
    </section>
  )
}
