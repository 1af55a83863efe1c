import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getFormatter, getTranslations } from 'next-intl/server'
import { z } from 'zod'
import { DatePick } from '@/components/reservations/date-pick'
import dayNav from '@/components/reservations/day-nav.module.css'
import classes from '@/components/service/board.module.css'
import { ChooseLocation, ServiceViews } from '@/components/service/choose-location'
import { TablesBoard } from '@/components/service/tables-board'
import { ClientTexts } from '@/components/ui/client-texts'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { currentServiceDay } from '@/components/ui/service-day'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { addDays } from '@/lib/dates'
import { pageAddress } from '@/lib/http/page-address'
import { calendarDate } from '@/lib/i18n/formats'
import { servedLocation } from '@/lib/locations/chosen-location'
import { LOCATION_PARAMETER } from '@/lib/locations/location-cookie'
import { listLocations } from '@/lib/locations/locations'
import { serviceDate } from '@/lib/service/schema'
import { readService } from '@/lib/service/service'

const address = pageAddress(
  '/service/tables',
  z.object({ [LOCATION_PARAMETER]: z.string().optional(), date: serviceDate.optional() }),
)

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('service.views')
  return { title: t('tables') }
}

/** The tables of one location by time on one day: parties at each table, and free tables. */
export default async function TablesPage({ searchParams }: PageProps<'/service/tables'>) {
  const session = await pageSessionWith('canAccessOperaciones')
  if (!session) return <NoAccess />
  const [query, all, t, days, format] = await Promise.all([
    searchParams,
    listLocations(session),
    getTranslations('service.views'),
    getTranslations('reservations.days'),
    getFormatter(),
  ])
  const { location, locations } = await servedLocation(query, all)
  if (!location)
    return (
      <ChooseLocation title={t('tables')} path="/service/tables" locations={locations} can={session.can} />
    )
  const today = currentServiceDay(location.timezone)
  const day = address.read(query).date ?? today
  const date = day === today ? undefined : day
  const dayHref = (other: string) =>
    address.href({ [LOCATION_PARAMETER]: location.id, date: other === today ? undefined : other })
  return (
    <div className={classes.page}>
      <PageHeader title={t('tables')} subtitle={location.name}>
        <ServiceViews locationId={location.id} current="tables" />
        <nav className={dayNav.nav} aria-label={days('label')}>
          <LinkButton square href={dayHref(addDays(day, -1))} aria-label={days('previous')}>
            <IconChevronLeft size={18} aria-hidden />
          </LinkButton>
          <ClientTexts features={['datePick']}>
            <DatePick date={day} today={today} shown={format.dateTime(calendarDate(day), 'shortDate')} />
          </ClientTexts>
          <LinkButton square href={dayHref(addDays(day, 1))} aria-label={days('next')}>
            <IconChevronRight size={18} aria-hidden />
          </LinkButton>
        </nav>
      </PageHeader>
      <ClientTexts features={['service', 'facts', 'tablesBoard', 'booking', 'closings']}>
        <TablesBoard
          key={`${location.id} ${day}`}
          person={session.user_id}
          cards={session.can('canAccessClientes') ? '/customers' : '/service/guests'}
          date={date}
          initial={await readService(session, { locationId: location.id, day: date })}
        />
      </ClientTexts>
    </div>
  )
}
