import { IconMapQuestion } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { LinkButton } from '@/components/ui/link-button'
import { StatePage } from '@/components/ui/state-page'

/** An address that leads nowhere. */
export default function NotFound() {
  const t = useTranslations('notFound')
  return (
    <main>
      <StatePage icon={IconMapQuestion} title={t('title')} text={t('text')}>
        <LinkButton href="/">{t('home')}</LinkButton>
      </StatePage>
    </main>
  )
}
