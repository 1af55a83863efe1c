import { IconBuildingStore, IconTag } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ChangeLook } from '@/components/email-design/change-look'
import { AddBrand, AddLocation, SeedButton } from '@/components/locations/location-actions'
import { BrandList, LocationsTable } from '@/components/locations/locations-table'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel, Panels } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { listBrands } from '@/lib/brands/brands'
import { listLooks } from '@/lib/email-design/looks'
import { cursorPage } from '@/lib/http/page-address'
import { listLocations, pageLocations } from '@/lib/locations/locations'
import { readOrganization } from '@/lib/organization/organization'
import { staleLocations } from '@/lib/pms/stale-locations'
import classes from './page.module.css'

const address = cursorPage('/settings/locations')
const PAGE = 200

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings.nav')
  return { title: t('locations') }
}

/** The group's locations and brands. */
export default async function LocationsPage({ searchParams }: PageProps<'/settings/locations'>) {
  const session = await pageSessionWith('canViewSettings')
  if (!session) return <NoAccess />
  const { cursor } = address.read(await searchParams)
  const [locations, synced, brands, looks, organization, t, ofLooks] = await Promise.all([
    fromCursor(cursor, (after) => pageLocations(session, { cursor: after, limit: PAGE })),
    listLocations(session),
    listBrands(session, { limit: PAGE }),
    listLooks(session),
    readOrganization(session),
    getTranslations('settings.locations'),
    getTranslations('client.emailDesign.look'),
  ])
  const choices = brands.data.map(({ id, name }) => ({ value: id, label: name }))
  const brandButtons = (
    <div className={classes.buttons}>
      <ChangeLook
        brandId={null}
        name={organization.name}
        look={looks.find(({ brand_id }) => brand_id === null) ?? null}
        mayAddress={session.can('canViewSettings')}
        text={ofLooks('openGroup')}
      />
      <AddBrand />
    </div>
  )
  const isEmpty = !cursor && locations.data.length === 0
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')}>
        {isEmpty ? <SeedButton /> : null}
        <AddLocation brands={choices} timezone={organization.timezone} />
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
            path={cursor}
            next={locations.next_cursor}
            hrefAt={(path) => address.href({ cursor: path })}
            texts={{ first: t('firstPage'), next: t('nextPage') }}
          />
        </Panel>
        <Panel title={t('brands')} aside={brandButtons} flush>
          {brands.data.length > 0 ? (
            <BrandList brands={brands.data} looks={looks} locations={locations.data} />
          ) : (
            <EmptyState icon={IconTag} title={t('noBrands')} text={t('noBrandsText')} />
          )}
        </Panel>
      </Panels>
    </>
  )
}
