import type { Metadata } from 'next'
import { getFormatter, getTranslations } from 'next-intl/server'
import { ArrivalsPanel } from '@/components/home/arrivals-panel'
import { CoversByHour } from '@/components/home/covers-by-hour'
import { EventsSoon } from '@/components/home/events-soon'
import { GuestsToKnow } from '@/components/home/guests-to-know'
import { LastSyncPanel } from '@/components/home/last-sync-panel'
import { LocationsToday } from '@/components/home/locations-today'
import { Slot } from '@/components/home/slot'
import { SyncButton } from '@/components/home/sync-button'
import { TicketsDue } from '@/components/home/tickets-due'
import { Tiles } from '@/components/home/tiles'
import { WeekCompare } from '@/components/home/week-compare'
import { StaleBanner } from '@/components/locations/stale-banner'
import { PageHeader } from '@/components/ui/page-header'
import { currentServiceDay } from '@/components/ui/service-day'
import { pageSession } from '@/lib/auth/page-session'
import { calendarDate } from '@/lib/i18n/formats'
import { chosenLocation } from '@/lib/locations/chosen-location'
import { knownOf } from '@/lib/locations/known-days'
import { listLocations } from '@/lib/organization/list-locations'
import { serviceSummary } from '@/lib/overview/service-summary'
import classes from './page.module.css'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('home') }
}

/** Today's service at a glance, of one location or of all. What takes longer is sent after the figures. */
export default async function HomePage({ searchParams }: PageProps<'/'>) {
  const session = await pageSession()
  // The figures of every location beside the locations: one wait less than asking for one of them afterwards.
  const [query, locations, everywhere, t, format] = await Promise.all([
    searchParams,
    listLocations(session),
    serviceSummary(session, {}),
    getTranslations('home'),
    getFormatter(),
  ])
  const location = await chosenLocation(query, locations)
  const figures = location ? everywhere.filter((row) => row.location_id === location.id) : everywhere
  const today = currentServiceDay(location?.timezone)
  const shown = location ? [location] : locations.filter(({ is_active }) => is_active)
  const known = knownOf(shown, [today]) !== 'none'
  const filter = { session, locationId: location?.id }
  const seesReservations = session.can('canAccessOperaciones')
  return (
    <div className={classes.page}>
      <PageHeader title={t('title')} subtitle={format.dateTime(calendarDate(today), 'longDate')}>
        <SyncButton />
      </PageHeader>
      <StaleBanner locations={shown} />
      <Tiles figures={figures} known={known} />
      <LocationsToday locations={shown} figures={figures} today={today} linked={seesReservations} />
      <div className={classes.grid}>
        <div className={classes.column}>
          {seesReservations && session.can('canAccessClientes') ? (
            <Slot height={320}>
              <GuestsToKnow {...filter} />
            </Slot>
          ) : null}
          {seesReservations ? (
            <Slot height={260}>
              <ArrivalsPanel {...filter} known={known} />
            </Slot>
          ) : (
            <CoversByHour figures={figures} known={known} />
          )}
          <Slot height={240}>
            <LastSyncPanel session={session} locationIds={locations.map(({ id }) => id)} />
          </Slot>
        </div>
        <div className={classes.column}>
          {seesReservations ? <CoversByHour figures={figures} known={known} /> : null}
          <Slot height={286}>
            <WeekCompare {...filter} today={today} locations={shown} />
          </Slot>
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
