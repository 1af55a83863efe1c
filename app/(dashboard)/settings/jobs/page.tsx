import { IconApi } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { SyncButton } from '@/components/home/sync-button'
import { JobPanel } from '@/components/jobs/job-panel'
import { LinkButton } from '@/components/ui/link-button'
import { NoAccess } from '@/components/ui/no-access'
import { PageHeader } from '@/components/ui/page-header'
import { Panels } from '@/components/ui/panels'
import { pageSessionWith } from '@/lib/auth/page-session'
import { JOB_NAMES } from '@/lib/jobs/job'
import { listRuns } from '@/lib/jobs/list-runs'

const RUNS = 4
// What runs nightly inside the automations job keeps a log of its own.
const LOGGED = [...JOB_NAMES, 'loyalty', 'tidy-up'] as const

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings.nav')
  return { title: t('jobs') }
}

/** What runs by itself, and how it went the last times. */
export default async function JobsPage() {
  const session = await pageSessionWith('canViewSettings')
  if (!session) return <NoAccess />
  const [t, ...pages] = await Promise.all([
    getTranslations('settings.jobs'),
    ...LOGGED.map((job) => listRuns(session, { job, limit: RUNS })),
  ])
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')}>
        <LinkButton href="/docs" prefetch={false}>
          <IconApi size={18} aria-hidden />
          {t('docs')}
        </LinkButton>
        <SyncButton />
      </PageHeader>
      <Panels columns>
        {LOGGED.map((job, index) => (
          <JobPanel
            key={job}
            title={t(`names.${job}`)}
            text={t(`texts.${job}`)}
            runs={pages[index]?.data ?? []}
          />
        ))}
      </Panels>
    </>
  )
}
