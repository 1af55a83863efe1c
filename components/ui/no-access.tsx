import { IconLock } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { LinkButton } from './link-button'
import { StatePage } from './state-page'

/** What a page shows to someone whose role may not see it. */
export function NoAccess() {
  const t = useTranslations('noAccess')
  return (
    <StatePage icon={IconLock} title={t('title')} text={t('text')}>
      <LinkButton href="/">{t('home')}</LinkButton>
    </StatePage>
  )
}
