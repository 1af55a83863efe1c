import { IconMapQuestion } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { LinkButton } from '@/components/ui/link-button'
import { StatePage } from '@/components/ui/state-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('notFound'))('title') }
}

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
