import { IconCalendarOff, IconFilterOff } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getFormatter, getTranslations } from 'next-intl/server'
import { DayNav } from '@/components/reservations/day-nav'
import { dayHref, parseDayQuery } from '@/components/reservations/day-query'
import { ReservationTable } from '@/components/reservations/reservation-table'
import { StatusFilter } from '@/components/reservations/status-filter'
import { EmptyState } from '@/components/ui/empty-state'
import { FilterBar } from '@/components/ui/filter-bar'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { NoAccess } from '@/components/ui/no-access'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { SearchField } from '@/components/ui/search-field'
import { count, EXPECTED } from '@/components/ui/service-count'
import { pageSessionWith } from '@/lib/auth/page-session'
import { calendarDate } from '@/lib/i18n/formats'
import { chosenLocation } from '@/lib/locations/chosen-location'
import { listLocations } from '@/lib/organization/list-locations'
import { serviceSummary } from '@/lib/overview/service-summary'
import { listDay } from '@/lib/reservations/list-day'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('reservations') }
}

/** The reservations of a service day. */
export default async function ReservationsPage({ searchParams }: PageProps<'/reservations'>) {
  const session = await pageSessionWith('canAccessOperaciones')
  if (!session) return <NoAccess />
  const [query, locations, t, format] = await Promise.all([
    searchParams,
    listLocations(session),
    getTranslations('reservations'),
    getFormatter(),
  ])
  const day = parseDayQuery(query, await chosenLocation(query, locations))
  const { date, location, statuses, search } = day
  const [figures, page] = await Promise.all([
    serviceSummary(session, { date, locationId: location?.id }),
    fromCursor(day.cursor, (cursor) =>
      listDay(session, { date, locationId: location?.id, statuses, search, cursor }),
    ),
  ])
  const filtered = statuses.length > 0 || search !== ''
  return (
    <>
      <PageHeader title={t('title')} subtitle={format.dateTime(calendarDate(date), 'longDate')}>
        <DayNav day={day} />
      </PageHeader>
      <FilterBar>
        <SearchField label={t('search')} />
        <StatusFilter day={day} figures={figures} />
      </FilterBar>
      <Panel title={t('list')} aside={t('totals', { ...count(figures, EXPECTED) })} flush>
        {page.data.length > 0 ? (
          <ReservationTable
            reservations={page.data}
            withLocation={!location && locations.length > 1}
            linked={session.can('canAccessClientes')}
          />
        ) : filtered ? (
          <EmptyState icon={IconFilterOff} title={t('noMatch')} text={t('noMatchText')}>
            <LinkButton href={dayHref(day, { statuses: [], search: '' })}>{t('clear')}</LinkButton>
          </EmptyState>
        ) : (
          <EmptyState icon={IconCalendarOff} title={t('none')} text={t('noneText')} />
        )}
        <Pager
          label={t('pages')}
          first={day.cursor ? { href: dayHref(day), text: t('firstPage') } : null}
          next={
            page.next_cursor
              ? { href: dayHref(day, { cursor: page.next_cursor }), text: t('nextPage') }
              : null
          }
        />
      </Panel>
    </>
  )
}
