import { IconBuildingStore, IconTag } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { AddBrand } from '@/components/locations/brand-actions'
import { BrandList } from '@/components/locations/brand-list'
import { AddLocation } from '@/components/locations/location-actions'
import { LocationsTable } from '@/components/locations/locations-table'
import { SeedButton } from '@/components/locations/seed-button'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { NoAccess } from '@/components/ui/no-access'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { Panels } from '@/components/ui/panels'
import { href, param } from '@/components/ui/query'
import { pageSessionWith } from '@/lib/auth/page-session'
import { listBrands } from '@/lib/brands/list-brands'
import { pageLocations } from '@/lib/locations/page-locations'
import { staleLocations } from '@/lib/locations/stale-data'
import { listLocations } from '@/lib/organization/list-locations'

const PAGE = 200

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings.nav')
  return { title: t('locations') }
}

/** The group's locations and brands. */
export default async function LocationsPage({ searchParams }: PageProps<'/settings/locations'>) {
  const session = await pageSessionWith('canViewSettings')
  if (!session) return <NoAccess />
  const cursor = param(await searchParams, 'cursor', 1000) || undefined
  const [locations, synced, brands, t] = await Promise.all([
    fromCursor(cursor, (after) => pageLocations(session, { cursor: after, limit: PAGE })),
    listLocations(session),
    listBrands(session, { limit: PAGE }),
    getTranslations('settings.locations'),
  ])
  const choices = brands.data.map(({ id, name }) => ({ value: id, label: name }))
  const next = locations.next_cursor && href('/settings/locations', { cursor: locations.next_cursor })
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')}>
        <SeedButton />
        <AddLocation brands={choices} />
      </PageHeader>
      <Panels>
        <Panel title={t('list')} flush hideTitle>
          {locations.data.length > 0 ? (
            <LocationsTable locations={locations.data} brands={choices} stale={staleLocations(synced)} />
          ) : (
            <EmptyState icon={IconBuildingStore} title={t('none')} text={t('noneText')} />
          )}
          <Pager
            label={t('pages')}
            first={cursor ? { href: '/settings/locations', text: t('firstPage') } : null}
            next={next ? { href: next, text: t('nextPage') } : null}
          />
        </Panel>
        <Panel title={t('brands')} aside={<AddBrand />} flush>
          {brands.data.length > 0 ? (
            <BrandList brands={brands.data} locations={locations.data} />
          ) : (
            <EmptyState icon={IconTag} title={t('noBrands')} text={t('noBrandsText')} />
          )}
        </Panel>
      </Panels>
    </>
  )
}
