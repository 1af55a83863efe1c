import { IconFilterPlus, IconPlus } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { KeptViews } from '@/components/segments/kept-views'
import { ExampleLinks, SegmentList } from '@/components/segments/segment-list'
import { BackLink } from '@/components/ui/back-link'
import { EmptyState } from '@/components/ui/empty-state'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { Panel } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { listTiers } from '@/lib/loyalty/tiers'
import { newSegmentPage } from '@/lib/segments/addresses'
import { listSegments } from '@/lib/segments/segments'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('segments')
  return { title: t('title') }
}

/** The segments that the person may read. */
export default async function SegmentsPage() {
  const session = await pageSessionWith('canAccessClientes')
  if (!session) return <NoAccess />
  const [segments, tiers, t, nav] = await Promise.all([
    listSegments(session),
    listTiers(session),
    getTranslations('segments'),
    getTranslations('nav'),
  ])
  return (
    <>
      <BackLink href="/customers">{nav('customers')}</BackLink>
      <PageHeader title={t('title')} subtitle={t('subtitle')}>
        <LinkButton href={newSegmentPage.href({})} prefetch={false}>
          <IconPlus size={16} aria-hidden />
          {t('new')}
        </LinkButton>
      </PageHeader>
      <Panel title={t('list')} hideTitle flush>
        {segments.length > 0 ? (
          <SegmentList segments={segments} />
        ) : (
          <EmptyState icon={IconFilterPlus} title={t('none')} text={t('noneText')}>
            <ExampleLinks tiers={tiers} />
          </EmptyState>
        )}
      </Panel>
      <KeptViews
        userId={session.user_id}
        path={newSegmentPage.href({})}
        intro={
          <>
            <h2>{t('views.title')}</h2>
            <p>{t('views.text')}</p>
          </>
        }
      />
    </>
  )
}
