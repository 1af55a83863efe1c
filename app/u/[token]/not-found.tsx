import { IconUnlink } from '@tabler/icons-react'
import { getTranslations } from 'next-intl/server'
import { StatePage } from '@/components/ui/state-page'
import { visitorLocale } from '@/lib/i18n/visitor-locale'

/** A link that was never ours, or came incomplete. */
export default async function UnsubscribeNotFound() {
  const locale = await visitorLocale()
  const t = await getTranslations({ locale, namespace: 'unsubscribe.notFound' })
  return (
    <main lang={locale}>
      <StatePage icon={IconUnlink} title={t('title')} text={t('text')}>
        {null}
      </StatePage>
    </main>
  )
}
