import type { Metadata } from 'next'
import { getFormatter, getTranslations } from 'next-intl/server'
import { StaleBanner } from '@/components/locations/stale-banner'
import { DayNav } from '@/components/reservations/day-nav'
import { type DayQuery, parseDayQuery, SOURCES } from '@/components/reservations/day-query'
import { DayView } from '@/components/reservations/day-view'
import { Drawer } from '@/components/reservations/drawer'
import { loadDay } from '@/components/reservations/load-day'
import { NewReservation } from '@/components/reservations/new-reservation'
import { StatusFilter } from '@/components/reservations/status-filter'
import { ViewSwitch } from '@/components/reservations/view-switch'
import { Week } from '@/components/reservations/week'
import { FilterBar } from '@/components/ui/filter-bar'
import { NoAccess } from '@/components/ui/no-access'
import { PageHeader } from '@/components/ui/page-header'
import { SearchField } from '@/components/ui/search-field'
import { weekStart } from '@/components/ui/service-day'
import { UrlSelect } from '@/components/ui/url-select'
import { pageSessionWith } from '@/lib/auth/page-session'
import type { Session } from '@/lib/auth/session'
import { calendarDate } from '@/lib/i18n/formats'
import { chosenLocation } from '@/lib/locations/chosen-location'
import { type Location, listLocations } from '@/lib/organization/list-locations'
import { dailySummary } from '@/lib/overview/daily-summary'
import { serviceSummary } from '@/lib/overview/service-summary'
import { addDays } from '@/lib/pms/sync/window'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('reservations') }
}

/** The reservations of a service day as a list or by hour, or a week of them. */
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
  const monday = weekStart(day.date)
  const showsToday = day.view === 'week' ? monday === weekStart(day.today) : day.date === day.today
  const places = locations.map(({ id, name }) => ({ value: id, label: name }))
  const only = places.length === 1 ? places[0]?.value : undefined
  return (
    <>
      <PageHeader
        title={t('title')}
        subtitle={
          day.view === 'week'
            ? format.dateTimeRange(calendarDate(monday), calendarDate(addDays(monday, 6)), {
                day: 'numeric',
                month: 'long',
                year: 'numeric',
                timeZone: 'UTC',
              })
            : format.dateTime(calendarDate(day.date), 'longDate')
        }
      >
        <DayNav day={day} />
        {places.length > 0 ? (
          <NewReservation
            locations={places}
            locationId={day.location?.id ?? only ?? ''}
            date={day.date}
            findsCustomers={session.can('canAccessClientes')}
          />
        ) : null}
      </PageHeader>
      {showsToday ? <StaleBanner locations={day.location ? [day.location] : locations} /> : null}
      {day.view === 'week' ? (
        <WeekOf day={day} session={session} locations={locations} />
      ) : (
        <DayOf day={day} session={session} locations={locations} />
      )}
      {day.reservation ? (
        <Drawer session={session} id={day.reservation} day={day} locations={locations} />
      ) : null}
    </>
  )
}

interface ViewProps {
  day: DayQuery
  session: Session
  locations: readonly Location[]
}

async function DayOf({ day, session, locations }: ViewProps) {
  const [t, figures, page] = await Promise.all([
    getTranslations('reservations'),
    serviceSummary(session, { date: day.date, locationId: day.location?.id }),
    loadDay(session, day),
  ])
  return (
    <>
      <FilterBar>
        <ViewSwitch day={day} />
        <UrlSelect
          name="source"
          label={t('sourceFilter')}
          value={day.source ?? ''}
          options={[
            { value: '', label: t('anySource') },
            ...SOURCES.map((source) => ({ value: source, label: t(`sources.${source}`) })),
          ]}
        />
        <SearchField label={t('search')} />
        <StatusFilter day={day} figures={figures} />
      </FilterBar>
      <DayView
        day={day}
        page={page}
        locations={locations}
        figures={figures}
        linked={session.can('canAccessClientes')}
      />
    </>
  )
}

async function WeekOf({ day, session, locations }: ViewProps) {
  const monday = weekStart(day.date)
  const figures = await dailySummary(session, {
    from: monday,
    to: addDays(monday, 6),
    locationId: day.location?.id,
  })
  return (
    <>
      <FilterBar>
        <ViewSwitch day={day} />
      </FilterBar>
      <Week day={day} monday={monday} locations={locations} figures={figures} />
    </>
  )
}
