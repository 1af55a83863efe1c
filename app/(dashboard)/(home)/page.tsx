import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getFormatter, getTranslations } from 'next-intl/server'
import { type ReactNode, Suspense } from 'react'
import { ArrivalsPanel } from '@/components/home/arrivals'
import { CoversByHour } from '@/components/home/covers-by-hour'
import { CustomersToKnow } from '@/components/home/customers-to-know'
import { LastSyncPanel } from '@/components/home/last-sync'
import { LocationsToday, Tiles } from '@/components/home/service-today'
import { SyncButton } from '@/components/home/sync-button'
import { EventsSoon, TicketsDue } from '@/components/home/tickets-and-events'
import { WeekCompare } from '@/components/home/week-compare'
import { StaleBanner } from '@/components/locations/stale-banner'
import { SetupSteps } from '@/components/setup/setup-steps'
import { LiveRefresh } from '@/components/shell/live-refresh'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/page-skeleton'
import { currentServiceDay, localTime } from '@/components/ui/service-day'
import { pageSession } from '@/lib/auth/page-session'
import { calendarDate } from '@/lib/i18n/formats'
import { chosenLocation, zoneOf } from '@/lib/locations/chosen-location'
import { isKnown, knownOf } from '@/lib/locations/known-days'
import { listLocations } from '@/lib/locations/locations'
import { serviceSummary, shiftOccupancy } from '@/lib/overview/reads'
import { missingBookings } from '@/lib/pms/missing-bookings'
import { setupOnHome } from '@/lib/setup/progress'
import classes from './page.module.css'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('home') }
}

/** From noon until after midnight the arrivals come first; in the morning the comparison of the weeks comes first. */
const [SERVICE_BEGINS, SERVICE_ENDS] = [12, 2]

/** Today's service at a glance, of one location or of all. Panels that need more queries are streamed. */
export default async function HomePage({ searchParams }: PageProps<'/'>) {
  const session = await pageSession()
  // Floor staff have no home page: they start with the service.
  if (!session.can('canWorkInOffice')) redirect('/service')
  // The figures of all locations in parallel with the locations: one round trip less than asking for the chosen one.
  const [query, locations, everywhere, occupancy, missing, progress, t, format] = await Promise.all([
    searchParams,
    listLocations(session),
    serviceSummary(session, {}),
    shiftOccupancy(session),
    missingBookings(session),
    setupOnHome(session),
    getTranslations('home'),
    getFormatter(),
  ])
  const location = await chosenLocation(query, locations)
  const figures = location ? everywhere.filter((row) => row.location_id === location.id) : everywhere
  const zone = zoneOf(session, locations, location)
  const today = currentServiceDay(zone)
  const shown = location ? [location] : locations.filter(({ is_active }) => is_active)
  const known = knownOf(shown, [today]) !== 'none'
  const filter = { session, locationId: location?.id }
  const seesReservations = session.can('canAccessOperaciones')
  const hour = Number(localTime(zone).slice(0, 2))
  const inService = hour >= SERVICE_BEGINS || hour < SERVICE_ENDS
  const arrivals = seesReservations ? (
    <Slot height={260}>
      <ArrivalsPanel {...filter} known={known} locations={shown} />
    </Slot>
  ) : (
    <CoversByHour figures={figures} known={known} />
  )
  const week = (
    <Slot height={286}>
      <WeekCompare {...filter} today={today} locations={shown} />
    </Slot>
  )
  const toKnow =
    seesReservations && session.can('canAccessClientes') ? (
      <Slot height={320}>
        <CustomersToKnow {...filter} known={known} />
      </Slot>
    ) : null
  return (
    <div className={classes.page}>
      <PageHeader title={t('title')} subtitle={format.dateTime(calendarDate(today), 'longDate')}>
        {seesReservations ? <LinkButton href="/morning">{t('morning')}</LinkButton> : null}
        <div className={classes.fresh}>
          <LiveRefresh at={new Date().toISOString()} />
          <SyncButton compact />
        </div>
      </PageHeader>
      {progress ? <SetupSteps progress={progress} /> : null}
      <StaleBanner locations={shown} />
      <Tiles figures={figures} known={known} />
      <div className={classes.grid}>
        <div className={classes.column}>
          {inService ? arrivals : week}
          {seesReservations ? <CoversByHour figures={figures} known={known} /> : null}
        </div>
        {toKnow}
      </div>
      <LocationsToday
        locations={shown}
        figures={figures}
        occupancy={occupancy.filter(({ location_id: id, covers }) =>
          shown.some(
            (place) => place.id === id && (covers > 0 || isKnown(place, currentServiceDay(place.timezone))),
          ),
        )}
        missing={missing}
        today={today}
        linked={seesReservations}
        can={session.can}
      />
      <div className={classes.grid}>
        <div className={classes.column}>
          {inService ? week : arrivals}
          <Slot height={240}>
            <LastSyncPanel
              session={session}
              locationIds={(location ? [location] : locations).map(({ id }) => id)}
            />
          </Slot>
        </div>
        <div className={classes.column}>
          <Slot height={210}>
            <TicketsDue {...filter} locations={locations} />
          </Slot>
          <Slot height={210}>
            <EventsSoon session={session} locations={locations} location={location} />
          </Slot>
        </div>
      </div>
    </div>
  )
}

/**
 * A streamed panel. Its placeholder has the panel's height, so that the page does not move when the panel arrives.
 */
function Slot({ height, children }: { height: number; children: ReactNode }) {
  return (
    <div className={classes.slot} style={{ minHeight: height }}>
      <Suspense fallback={<Skeleton height={height} />}>{children}</Suspense>
    </div>
  )
}
