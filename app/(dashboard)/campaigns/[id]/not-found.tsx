import { IconSpeakerphone } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { LinkButton } from '@/components/ui/link-button'
import { StatePage } from '@/components/ui/state-page'

/** No such campaign, or a deleted one. */
export default function CampaignNotFound() {
  const t = useTranslations('campaigns.notFound')
  return (
    <StatePage icon={IconSpeakerphone} title={t('title')} text={t('text')}>
      <LinkButton href="/campaigns">{t('list')}</LinkButton>
    </StatePage>
  )
}
