import { IconBuildingStore } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Suspense } from 'react'
import { DistributionPanel } from '@/components/loyalty/distribution-panel'
import { RulesGrid } from '@/components/loyalty/rules-grid'
import { TiersPanel } from '@/components/loyalty/tiers-panel'
import { EmptyState } from '@/components/ui/empty-state'
import { LinkButton } from '@/components/ui/link-button'
import { NoAccess } from '@/components/ui/no-access'
import { PageHeader } from '@/components/ui/page-header'
import { Panel } from '@/components/ui/panel'
import { Panels } from '@/components/ui/panels'
import { Skeleton } from '@/components/ui/skeleton'
import { pageSessionWith } from '@/lib/auth/page-session'
import { chosenLocation } from '@/lib/locations/chosen-location'
import { readConfig } from '@/lib/loyalty/config'
import { listRules } from '@/lib/loyalty/list-rules'
import { listTiers } from '@/lib/loyalty/list-tiers'
import { listLocations } from '@/lib/organization/list-locations'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('loyalty') }
}

/** The loyalty programme: its tiers, what each location asks for them, and who holds them. */
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
            <EmptyState icon={IconBuildingStore} title={t('noLocations')} text={t('noLocationsText')}>
              {session.can('canViewSettings') ? (
                <LinkButton href="/settings/locations">{t('toLocations')}</LinkButton>
              ) : null}
            </EmptyState>
          )}
        </Panel>
        <Suspense fallback={<Skeleton height={360} />}>
          <DistributionPanel session={session} tiers={tiers} locations={locations} />
        </Suspense>
      </Panels>
    </>
  )
}
