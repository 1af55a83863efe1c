import { IconDownload, IconFilter, IconFilterOff, IconUsersGroup } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getLocale, getTranslations } from 'next-intl/server'
import { COLUMNS_COOKIE, parseColumns } from '@/components/customers/columns'
import { ColumnsButton } from '@/components/customers/columns-button'
import { NewCustomer } from '@/components/customers/customer-actions'
import { CustomerFilters } from '@/components/customers/customer-filters'
import { CustomerTable } from '@/components/customers/customer-table'
import { SegmentBar } from '@/components/customers/segment-bar'
import { SelectionArea } from '@/components/customers/selection'
import { DownloadLink } from '@/components/forms/download-link'
import { EmptyGroup } from '@/components/setup/empty-group'
import { BrokenNote } from '@/components/ui/broken'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { MoreMenu } from '@/components/ui/more-menu'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { onReplica } from '@/lib/auth/session'
import { customerFilters, customersExport, customersPage } from '@/lib/customers/filters'
import { listCustomers } from '@/lib/customers/list-customers'
import { MAX_CHOSEN } from '@/lib/customers/selection'
import { choice } from '@/lib/http/choice'
import { isFiltered } from '@/lib/http/page-address'
import { chosenLocation } from '@/lib/locations/chosen-location'
import { ALL_LOCATIONS, inTab } from '@/lib/locations/location-cookie'
import { listLocations } from '@/lib/locations/locations'
import { listTiers } from '@/lib/loyalty/tiers'
import { listSegments } from '@/lib/segments/segments'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('customers') }
}

/** The organization's customers. */
export default async function CustomersPage({ searchParams }: PageProps<'/customers'>) {
  const session = await pageSessionWith('canAccessClientes')
  if (!session) return <NoAccess />
  const [query, shown, locale, locations, tiers, segments, t, ofSegments] = await Promise.all([
    searchParams,
    choice(COLUMNS_COOKIE),
    getLocale(),
    listLocations(session),
    listTiers(session),
    listSegments(session),
    getTranslations('customers'),
    getTranslations('segments'),
  ])
  const asked = customersPage.read(query)
  const list = {
    ...asked,
    location_id: (await chosenLocation(query, locations))?.id,
    tier: tiers.find(({ id, name }) => id === asked.tier || name === asked.tier)?.id,
  }
  const columns = parseColumns(shown)
  const page = await fromCursor(list.cursor, (cursor) =>
    listCustomers(onReplica(session), { ...list, cursor }),
  )
  const filters = customerFilters.parse(list)
  const exportHref = customersExport.href({ ...list, language: locale })
  const places = locations.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')} tight>
        <MoreMenu label={t('more')} phoneOnly>
          <LinkButton href="/customers/duplicates" prefetch={false}>
            <IconUsersGroup size={16} aria-hidden />
            {t('duplicates')}
          </LinkButton>
          <LinkButton href="/customers/segments" prefetch={false}>
            <IconFilter size={16} aria-hidden />
            {ofSegments('title')}
          </LinkButton>
          <DownloadLink href={exportHref} confirm={session.second_factor.enrolled}>
            <IconDownload size={16} aria-hidden />
            {t('export')}
          </DownloadLink>
          <ColumnsButton columns={columns} />
        </MoreMenu>
        <NewCustomer locations={places} />
      </PageHeader>
      <SegmentBar list={list} saved={segments} userId={session.user_id} />
      {segments.find(({ id }) => id === list.segment_id)?.broken ? <BrokenNote /> : null}
      <CustomerFilters list={list} tiers={tiers} />
      <Panel title={t('list')} hideTitle flush>
        {page.data.length > 0 ? (
          <SelectionArea
            key={customersPage.href(filters)}
            filters={filters}
            exportHref={exportHref}
            confirm={session.second_factor.enrolled}
            onPage={page.data.map(({ id }) => id)}
            hasMore={page.next_cursor !== null || list.cursor !== undefined}
            most={MAX_CHOSEN}
          >
            <CustomerTable customers={page.data} locations={locations} columns={columns} />
          </SelectionArea>
        ) : isFiltered(customerFilters, list) ? (
          <EmptyState icon={IconFilterOff} title={t('noMatch')} text={t('noMatchText')}>
            <LinkButton href={inTab(customersPage.href({}), list.location_id && ALL_LOCATIONS)}>
              {t('clear')}
            </LinkButton>
          </EmptyState>
        ) : (
          <EmptyGroup need="customers" can={session.can} />
        )}
        <Pager
          label={t('pages')}
          path={list.cursor}
          next={page.next_cursor}
          hrefAt={(path) => customersPage.href({ ...list, cursor: path })}
          texts={{ first: t('firstPage'), next: t('nextPage') }}
        />
      </Panel>
    </>
  )
}
