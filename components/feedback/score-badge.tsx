import { useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import type { Score } from '@/lib/feedback/schema'

/** The stars of an answer, such as "4 of 5"; red when they open a ticket. */
export function ScoreBadge({ score }: { score: Score }) {
  const t = useTranslations('feedback')
  return <Badge tone={score <= 2 ? 'red' : score === 3 ? 'amber' : 'green'}>{t('stars', { score })}</Badge>
}
