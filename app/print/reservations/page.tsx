import type { Metadata } from 'next'
import { getFormatter, getTranslations } from 'next-intl/server'
import { DayList } from '@/components/print/day-list'
import classes from '@/components/print/print.module.css'
import { PrintButton } from '@/components/print/print-button'
import { ClientTexts } from '@/components/ui/client-texts'
import { currentServiceDay } from '@/components/ui/service-day'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { calendarDate } from '@/lib/i18n/formats'
import { chosenLocation, zoneOf } from '@/lib/locations/chosen-location'
import { unknownAt } from '@/lib/locations/known-days'
import { listLocations } from '@/lib/locations/locations'
import { reservationsPrint } from '@/lib/reservations/filters'
import { readServices } from '@/lib/service/service'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('reservations.print')
  return { title: t('title') }
}

/** A day's reservations on paper, location by location: by time, with allergies, notes and telephones. */
export default async function PrintReservationsPage({ searchParams }: PageProps<'/print/reservations'>) {
  const session = await pageSessionWith('canAccessOperaciones')
  if (!session) return <NoAccess />
  const [query, locations, t, format] = await Promise.all([
    searchParams,
    listLocations(session),
    getTranslations('reservations.print'),
    getFormatter(),
  ])
  const location = await chosenLocation(query, locations)
  const day = reservationsPrint.read(query).date ?? currentServiceDay(zoneOf(session, locations, location))
  const services = await readServices(session, { day, locationId: location?.id })
  const unknown = new Set(locations.filter((each) => unknownAt([each], day).length > 0).map(({ id }) => id))
  return (
    <main className={classes.sheet}>
      <header className={classes.bar}>
        <div>
          <h1>{t('title')}</h1>
          <p>{format.dateTime(calendarDate(day), 'longDate')}</p>
        </div>
        <ClientTexts features={['print']}>
          <PrintButton />
        </ClientTexts>
      </header>
      {services.length === 0 ? <p>{t('noLocations')}</p> : null}
      {services.map((service) => (
        <DayList key={service.location.id} service={service} known={!unknown.has(service.location.id)} />
      ))}
    </main>
  )
}
