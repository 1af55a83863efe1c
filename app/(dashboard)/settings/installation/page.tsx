import { IconRefresh } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Suspense } from 'react'
import { InstallationLines } from '@/components/installation/installation-lines'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/page-skeleton'
import { NoAccess } from '@/components/ui/state-page'
import { pageSession } from '@/lib/auth/page-session'
import { installationOf } from '@/lib/deployment/report'
import { wordsOf } from '@/lib/deployment/words'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('installation')
  return { title: t('title') }
}

/** The installation, checked while the page loads: for super_admins, who can do something about it. */
export default async function InstallationPage() {
  const session = await pageSession()
  if (session.role !== 'super_admin') return <NoAccess />
  const t = await getTranslations('installation')
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')}>
        <LinkButton href="/settings/installation" prefetch={false}>
          <IconRefresh size={18} aria-hidden />
          {t('again')}
        </LinkButton>
      </PageHeader>
      <Suspense
        fallback={
          <div role="status">
            <p>{t('checking')}</p>
            <Skeleton height={480} />
          </div>
        }
      >
        <Checked session={session} />
      </Suspense>
    </>
  )
}

async function Checked({ session }: { session: Parameters<typeof installationOf>[0] }) {
  const [{ lines }, t, services] = await Promise.all([
    installationOf(session),
    getTranslations('installation'),
    getTranslations('client.integrations'),
  ])
  return <InstallationLines lines={lines.map((line) => ({ line, words: wordsOf(line, t, services) }))} />
}
