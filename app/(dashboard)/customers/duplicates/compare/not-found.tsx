import { IconUserQuestion } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { LinkButton } from '@/components/ui/link-button'
import { StatePage } from '@/components/ui/state-page'

/** One of the two is gone by now. */
export default function CompareNotFound() {
  const t = useTranslations('duplicates.compare.missing')
  return (
    <StatePage icon={IconUserQuestion} title={t('title')} text={t('text')}>
      <LinkButton href="/customers/duplicates">{t('list')}</LinkButton>
    </StatePage>
  )
}
