import { IconPrinter } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { useTranslations } from 'next-intl'
import { getFormatter, getTranslations } from 'next-intl/server'
import { ClosingsBanner } from '@/components/closings/closings-banner'
import { Reopen } from '@/components/closings/reopen'
import { StaleBanner } from '@/components/locations/stale-banner'
import { StatusFilter, ViewSwitch } from '@/components/reservations/day-filters'
import { DayMenu } from '@/components/reservations/day-menu'
import { DayNav } from '@/components/reservations/day-nav'
import { type DayQuery, dayHref, parseDayQuery } from '@/components/reservations/day-query'
import { DayView } from '@/components/reservations/day-view'
import { Drawer } from '@/components/reservations/drawer'
import { loadDay } from '@/components/reservations/load-day'
import { NewReservation } from '@/components/reservations/new-reservation'
import { Week } from '@/components/reservations/week'
import { LiveRefresh } from '@/components/shell/live-refresh'
import { FilterControl } from '@/components/ui/filter-control'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { SearchField } from '@/components/ui/search-field'
import { localTime, weekStart } from '@/components/ui/service-day'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import type { Session } from '@/lib/auth/session'
import { closingsBetween } from '@/lib/closings/closings'
import { addDays } from '@/lib/dates'
import { calendarDate } from '@/lib/i18n/formats'
import { chosenLocation, zoneOf } from '@/lib/locations/chosen-location'
import { type Location, listLocations } from '@/lib/locations/locations'
import { serviceSummary, weeksSummary } from '@/lib/overview/reads'
import { RISK_FILTERS, reservationsPrint, SOURCES } from '@/lib/reservations/filters'
import { hasReservations, readingDay } from '@/lib/reservations/reads'

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
  const chosen = await chosenLocation(query, locations)
  const day = parseDayQuery(query, chosen, zoneOf(session, locations, chosen))
  const monday = weekStart(day.date)
  const showsToday = day.view === 'week' ? monday === weekStart(day.today) : day.date === day.today
  const places = locations.map(({ id, name }) => ({ value: id, label: name }))
  const printHref = reservationsPrint.href({ date: day.date, location_id: day.location?.id })
  const place = day.location ?? (locations.length === 1 ? locations[0] : undefined)
  return (
    <>
      <PageHeader
        title={t('title')}
        tight
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
        {showsToday ? <LiveRefresh at={new Date().toISOString()} /> : null}
        <DayNav day={day} />
        <LinkButton href={printHref} target="_blank" compact>
          <IconPrinter size={16} aria-hidden />
          <span>{t('print.open')}</span>
        </LinkButton>
        {session.can('canReadReports') ? (
          <DayMenu
            day={day}
            locations={places}
            locationId={place?.id ?? ''}
            clock={place && day.date === day.today ? localTime(place.timezone) : undefined}
            confirm={session.second_factor.enrolled}
          />
        ) : null}
        {places.length > 0 ? (
          <NewReservation
            locations={places}
            locationId={place?.id ?? ''}
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

/** What the totals cover besides the dates: the filters that are set. */
const counted = ({ location, source, search }: DayQuery) => ({ locationId: location?.id, source, search })

/** The search and the filters, beside the views. The risk is known of reservations that are ahead; a week has none. */
function DayFilters({ day }: { day: DayQuery }) {
  const t = useTranslations('reservations')
  const source = {
    name: 'source',
    label: t('sourceFilter'),
    value: day.source ?? '',
    any: t('anySource'),
    options: SOURCES.map((source) => ({ value: source, label: t(`sources.${source}`) })),
  }
  const risk = {
    name: 'risk',
    label: t('riskFilter'),
    value: day.risk ?? '',
    any: t('anyRisk'),
    options: RISK_FILTERS.map((risk) => ({ value: risk, label: t(`risks.${risk}`) })),
  }
  const hasRisk = day.view !== 'week' && (day.date >= day.today || day.risk)
  return (
    <FilterControl without={(gone) => dayHref(day, gone)} filters={hasRisk ? [source, risk] : [source]}>
      <ViewSwitch day={day} />
      <SearchField label={t('search')} />
    </FilterControl>
  )
}

async function DayOf({ day, session, locations }: ViewProps) {
  const [figures, page, closings] = await Promise.all([
    serviceSummary(readingDay(session, day.date), { date: day.date, ...counted(day) }),
    loadDay(session, day),
    closingsBetween(session, { from: day.date, until: day.date, locationId: day.location?.id }),
  ])
  const nameOf = new Map(locations.map(({ id, name }) => [id, name]))
  return (
    <>
      <ClosingsBanner
        closings={closings}
        at={({ location_id }) => (day.location ? '' : (nameOf.get(location_id) ?? ''))}
        action={(closing) =>
          session.can('canReadReports') ? <Reopen closing={closing} locationId={closing.location_id} /> : null
        }
      />
      <DayFilters day={day} />
      <StatusFilter day={day} figures={figures} />
      <DayView
        day={day}
        page={page}
        locations={locations}
        figures={figures}
        linked={session.can('canAccessClientes')}
        need={figures.length > 0 ? null : await needOf(session, locations)}
        can={session.can}
      />
    </>
  )
}

/** Returns what the group lacks before it can have reservations: locations, or a first reservation. Null when nothing. */
async function needOf(session: Session, locations: readonly Location[]) {
  if (locations.length === 0) return 'locations'
  const awaits =
    locations.every(({ pms_id }) => pms_id === null) && !(await hasReservations(session, locations))
  return awaits ? 'reservations' : null
}

async function WeekOf({ day, session, locations }: ViewProps) {
  const monday = weekStart(day.date)
  const sunday = addDays(monday, 6)
  const [figures, closings] = await Promise.all([
    weeksSummary(session, { from: monday, to: sunday, ...counted(day) }),
    closingsBetween(session, { from: monday, until: sunday, locationId: day.location?.id }),
  ])
  return (
    <>
      <DayFilters day={day} />
      <Week day={day} monday={monday} locations={locations} figures={figures} closings={closings} />
    </>
  )
}
