import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { getTranslations } from 'next-intl/server'
import { SetupList } from '@/components/setup/setup-list'
import { PageHeader } from '@/components/ui/page-header'
import { Panel } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { env } from '@/lib/env'
import { addressedHost, isHttps } from '@/lib/http/origin'
import { openSteps, setupEntries } from '@/lib/setup/progress'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings.nav')
  return { title: t('setup') }
}

/** The set-up list of the group; it stays here when it is complete, or hidden on home. */
export default async function SetupListPage() {
  const session = await pageSessionWith('canViewSettings')
  if (!session) return <NoAccess />
  const [progress, t, asked] = await Promise.all([
    setupEntries(session),
    getTranslations('setup.page'),
    headers(),
  ])
  const origin = env().PUBLIC_URL || `${isHttps(asked) ? 'https' : 'http'}://${addressedHost(asked)}`
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')} />
      <Panel title={progress ? t('state', { count: openSteps(progress).length }) : t('title')}>
        {progress ? (
          <>
            {progress.shown ? null : <p>{t('hiddenNote')}</p>}
            <SetupList progress={progress} origin={origin} />
          </>
        ) : (
          <p>{t('onlyEverywhere')}</p>
        )}
      </Panel>
    </>
  )
}
