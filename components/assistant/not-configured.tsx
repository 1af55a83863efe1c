import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { EmptyState } from '@/components/ui/empty-state'
import { LinkButton } from '@/components/ui/link-button'

/** Shown when no model is configured: names the roles that can configure one. */
export function NotConfigured({ mayConfigure }: { mayConfigure: boolean }) {
  const t = useTranslations('assistant.notConfigured')
  return mayConfigure ? (
    <EmptyState icon={IconPlugConnectedX} title={t('title')} text={t('configure')}>
      <LinkButton href="/settings/integrations" prefetch={false}>
        {t('link')}
      </LinkButton>
    </EmptyState>
  ) : (
    <EmptyState icon={IconPlugConnectedX} title={t('title')} text={t('ask')} />
  )
}
