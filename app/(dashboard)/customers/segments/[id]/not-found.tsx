import { IconFilterQuestion } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { LinkButton } from '@/components/ui/link-button'
import { StatePage } from '@/components/ui/state-page'

/** Shown when the segment does not exist, or the person may not see it. */
export default function SegmentNotFound() {
  const t = useTranslations('segments')
  return (
    <StatePage icon={IconFilterQuestion} title={t('notFound')} text={t('notFoundText')}>
      <LinkButton href="/customers/segments">{t('back')}</LinkButton>
    </StatePage>
  )
}
