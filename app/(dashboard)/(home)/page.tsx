import type { Metadata } from 'next'
import { getFormatter, getTranslations } from 'next-intl/server'
import { Arrivals } from '@/components/home/arrivals'
import { CoversByHour } from '@/components/home/covers-by-hour'
import { LocationsToday } from '@/components/home/locations-today'
import { SyncButton } from '@/components/home/sync-button'
import { SyncPanel } from '@/components/home/sync-panel'
import { Tiles } from '@/components/home/tiles'
import { PageHeader } from '@/components/ui/page-header'
import { currentServiceDay } from '@/components/ui/service-day'
import { pageSession } from '@/lib/auth/page-session'
import { calendarDate } from '@/lib/i18n/formats'
import { chosenLocation } from '@/lib/locations/chosen-location'
import { listLocations } from '@/lib/organization/list-locations'
import { lastSync } from '@/lib/overview/last-sync'
import { nextArrivals } from '@/lib/overview/next-arrivals'
import { serviceSummary } from '@/lib/overview/service-summary'
import classes from './page.module.css'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('home') }
}

/** Today's service at a glance, of one location or of all. */
export default async function HomePage({ searchParams }: PageProps<'/'>) {
  const session = await pageSession()
  const [query, locations, t, format] = await Promise.all([
    searchParams,
    listLocations(session),
    getTranslations('home'),
    getFormatter(),
  ])
  const location = await chosenLocation(query, locations)
  const filter = { locationId: location?.id }
  const seesReservations = session.can('canAccessOperaciones')
  const [figures, arrivals, run] = await Promise.all([
    serviceSummary(session, filter),
    seesReservations ? nextArrivals(session, filter) : [],
    lastSync(
      session,
      locations.map(({ id }) => id),
    ),
  ])
  const today = currentServiceDay(location?.timezone)
  return (
    <div className={classes.page}>
      <PageHeader title={t('title')} subtitle={format.dateTime(calendarDate(today), 'longDate')}>
        <SyncButton />
      </PageHeader>
      <Tiles figures={figures} />
      <LocationsToday
        locations={location ? [location] : locations.filter(({ is_active }) => is_active)}
        figures={figures}
        linked={seesReservations}
      />
      <div className={classes.grid}>
        {seesReservations ? <Arrivals arrivals={arrivals} linked={session.can('canAccessClientes')} /> : null}
        <div className={classes.column}>
          <CoversByHour figures={figures} />
          <SyncPanel run={run} />
        </div>
      </div>
    </div>
  )
}
