import { IconDownload, IconFilterOff, IconUsers, IconUsersGroup } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getLocale, getTranslations } from 'next-intl/server'
import { COLUMNS_COOKIE, parseColumns } from '@/components/customers/columns'
import { ColumnsButton } from '@/components/customers/columns-button'
import { CustomerFilters } from '@/components/customers/customer-filters'
import { CustomerTable } from '@/components/customers/customer-table'
import {
  customersHref,
  exportHref,
  isFiltered,
  parseCustomersQuery,
} from '@/components/customers/customers-query'
import { NewCustomer } from '@/components/customers/new-customer'
import { SegmentBar } from '@/components/customers/segment-bar'
import { DownloadLink } from '@/components/ui/download-link'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { NoAccess } from '@/components/ui/no-access'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { pageSessionWith } from '@/lib/auth/page-session'
import { listCustomers } from '@/lib/customers/list-customers'
import { choice } from '@/lib/http/choice'
import { chosenLocation } from '@/lib/locations/chosen-location'
import { ALL_LOCATIONS } from '@/lib/locations/location-cookie'
import { listTiers } from '@/lib/loyalty/list-tiers'
import { listLocations } from '@/lib/organization/list-locations'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('customers') }
}

/** The organization's customers. */
export default async function CustomersPage({ searchParams }: PageProps<'/customers'>) {
  const session = await pageSessionWith('canAccessClientes')
  if (!session) return <NoAccess />
  const [query, shown, locale, locations, tiers, t] = await Promise.all([
    searchParams,
    choice(COLUMNS_COOKIE),
    getLocale(),
    listLocations(session),
    listTiers(session),
    getTranslations('customers'),
  ])
  const list = parseCustomersQuery(query, await chosenLocation(query, locations), tiers)
  const columns = parseColumns(shown)
  const { search, tag, tierId, locationId, segment, consent, sort } = list
  const inactiveDays = list.inactive ? Number(list.inactive) : undefined
  const filters = { search, tag: tag || undefined, tierId, locationId, segment, consent, inactiveDays, sort }
  const page = await fromCursor(list.cursor, (cursor) => listCustomers(session, { ...filters, cursor }))
  const places = locations.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')}>
        <LinkButton href="/customers/duplicates" prefetch={false}>
          <IconUsersGroup size={16} aria-hidden />
          {t('duplicates')}
        </LinkButton>
        <DownloadLink href={exportHref(list, locale)} confirm={session.second_factor.enrolled}>
          <IconDownload size={16} aria-hidden />
          {t('export')}
        </DownloadLink>
        <ColumnsButton columns={columns} />
        <NewCustomer locations={places} />
      </PageHeader>
      <SegmentBar list={list} userId={session.user_id} />
      <CustomerFilters list={list} tiers={tiers} />
      <Panel title={t('list')} hideTitle flush>
        {page.data.length > 0 ? (
          <CustomerTable customers={page.data} locations={locations} columns={columns} />
        ) : isFiltered(list) ? (
          <EmptyState icon={IconFilterOff} title={t('noMatch')} text={t('noMatchText')}>
            <LinkButton href={locationId ? `/customers?location=${ALL_LOCATIONS}` : '/customers'}>
              {t('clear')}
            </LinkButton>
          </EmptyState>
        ) : (
          <EmptyState icon={IconUsers} title={t('none')} text={t('noneText')} />
        )}
        <Pager
          label={t('pages')}
          first={list.cursor ? { href: customersHref(list), text: t('firstPage') } : null}
          next={
            page.next_cursor ? { href: customersHref(list, page.next_cursor), text: t('nextPage') } : null
          }
        />
      </Panel>
    </>
  )
}
