import { IconUnlink } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getLocale, getTranslations } from 'next-intl/server'
import { StatePage } from '@/components/ui/state-page'
import { guestMetadata } from '@/lib/guests/metadata'
import { LOCALES } from '@/lib/i18n/locales'

export async function generateMetadata(): Promise<Metadata> {
  return guestMetadata((await getTranslations('unsubscribe.notFound'))('title'))
}

/** A link that was never ours, or came incomplete: in both languages. */
export default async function UnsubscribeNotFound() {
  const locale = await getLocale()
  const other = LOCALES.find((each) => each !== locale) ?? locale
  const t = await getTranslations({ locale, namespace: 'unsubscribe.notFound' })
  const again = await getTranslations({ locale: other, namespace: 'unsubscribe.notFound' })
  return (
    <main>
      <StatePage icon={IconUnlink} title={t('title')} text={t('text')}>
        <p lang={other}>{again('text')}</p>
      </StatePage>
    </main>
  )
}
