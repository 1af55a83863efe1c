import { IconBuildingStore } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { LinkButton } from '@/components/ui/link-button'
import { StatePage } from '@/components/ui/state-page'

/** Shown when the location does not exist, or the person does not work there. */
export default function LocationNotFound() {
  const t = useTranslations('settings.location.notFound')
  return (
    <StatePage icon={IconBuildingStore} title={t('title')} text={t('text')}>
      <LinkButton href="/settings/locations">{t('list')}</LinkButton>
    </StatePage>
  )
}
