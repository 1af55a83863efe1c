import { IconApi } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { SyncButton } from '@/components/home/sync-button'
import { JobPanel } from '@/components/jobs/job-panel'
import { ReplicaPanel } from '@/components/jobs/replica-panel'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { Panels } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { replicaHealth } from '@/lib/db/replica'
import { JOB_NAMES } from '@/lib/jobs/job'
import { listRuns } from '@/lib/jobs/runs'

const RUNS = 4
// Jobs that run nightly within the automations job, with logs of their own.
const LOGGED = [
  ...JOB_NAMES,
  'morning-mails',
  'loyalty',
  'tidy-up',
  'identity-weights',
  'identity',
  'rhythm',
  'figures',
] as const

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings.nav')
  return { title: t('jobs') }
}

/** The scheduled jobs with their last runs, and the read replica, if there is one. */
export default async function JobsPage() {
  const session = await pageSessionWith('canViewSettings')
  if (!session) return <NoAccess />
  const [t, replica, ...pages] = await Promise.all([
    getTranslations('settings.jobs'),
    replicaHealth(),
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
        {replica ? <ReplicaPanel health={replica} /> : null}
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
