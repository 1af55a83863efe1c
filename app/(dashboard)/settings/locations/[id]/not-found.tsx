import { IconBuildingStore } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { LinkButton } from '@/components/ui/link-button'
import { StatePage } from '@/components/ui/state-page'

/** No such location, or none where this person works. */
export default function LocationNotFound() {
  const t = useTranslations('settings.location.notFound')
  return (
    <StatePage icon={IconBuildingStore} title={t('title')} text={t('text')}>
      <LinkButton href="/settings/locations">{t('list')}</LinkButton>
    </StatePage>
  )
}
