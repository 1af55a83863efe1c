import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Suspense } from 'react'
import { DistributionPanel } from '@/components/loyalty/distribution-panel'
import { RulesGrid } from '@/components/loyalty/rules-grid'
import { TiersPanel } from '@/components/loyalty/tiers-panel'
import { EmptyGroup } from '@/components/setup/empty-group'
import { PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/page-skeleton'
import { Panel, Panels } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { chosenLocation } from '@/lib/locations/chosen-location'
import { listLocations } from '@/lib/locations/locations'
import { listRules } from '@/lib/loyalty/rules'
import { listTiers, readConfig } from '@/lib/loyalty/tiers'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('loyalty') }
}

/** The loyalty programme: its tiers, each location's rules, and how many customers hold each tier. */
export default async function LoyaltyPage({ searchParams }: PageProps<'/loyalty'>) {
  const session = await pageSessionWith('canAccessMarketing')
  if (!session) return <NoAccess />
  const [query, tiers, rules, everywhere, config, t] = await Promise.all([
    searchParams,
    listTiers(session),
    listRules(session),
    listLocations(session),
    readConfig(session),
    getTranslations('loyalty'),
  ])
  const only = await chosenLocation(query, everywhere)
  const locations = (only ? [only] : everywhere).map(({ id, name }) => ({ id, name }))
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')} />
      <Panels>
        <TiersPanel tiers={tiers} config={config} mayEdit={session.role === 'super_admin'} />
        <Panel title={t('rules')} aside={t('rulesHint')} flush>
          {locations.length > 0 ? (
            <RulesGrid tiers={tiers} locations={locations} rules={rules} />
          ) : (
            <EmptyGroup need="locations" can={session.can} />
          )}
        </Panel>
        <Suspense fallback={<Skeleton height={360} />}>
          <DistributionPanel session={session} tiers={tiers} locations={locations} />
        </Suspense>
      </Panels>
    </>
  )
}
