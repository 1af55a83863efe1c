import { IconSend } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { LinkButton } from '@/components/ui/link-button'
import { StatePage } from '@/components/ui/state-page'

/** No such automation, or a deleted one. */
export default function AutomationNotFound() {
  const t = useTranslations('automations.notFound')
  return (
    <StatePage icon={IconSend} title={t('title')} text={t('text')}>
      <LinkButton href="/automations">{t('list')}</LinkButton>
    </StatePage>
  )
}
