import { IconChevronLeft, IconChevronRight, IconPrinter } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getFormatter, getLocale, getTranslations } from 'next-intl/server'
import { ClosingsBanner } from '@/components/closings/closings-banner'
import { DownloadLink } from '@/components/forms/download-link'
import { GuestsToKnow } from '@/components/home/customers-to-know'
import { StaleBanner } from '@/components/locations/stale-banner'
import { AtRisk } from '@/components/morning/at-risk'
import { DaysAhead } from '@/components/morning/days-ahead'
import classes from '@/components/morning/morning.module.css'
import { HandedOver } from '@/components/morning/shift-notes'
import { Yesterday } from '@/components/morning/yesterday'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { currentServiceDay } from '@/components/ui/service-day'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { addDays } from '@/lib/dates'
import { calendarDate } from '@/lib/i18n/formats'
import { chosenLocation, zoneOf } from '@/lib/locations/chosen-location'
import { listLocations } from '@/lib/locations/locations'
import { readMorning } from '@/lib/morning/morning'
import { morningPage, morningPdf } from '@/lib/morning/schema'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('morning') }
}

/** Yesterday and today in one look, of one location or of all. */
export default async function MorningPage({ searchParams }: PageProps<'/morning'>) {
  const session = await pageSessionWith('canReadReports')
  if (!session) return <NoAccess />
  const [query, locations, t, format, locale] = await Promise.all([
    searchParams,
    listLocations(session),
    getTranslations('morning'),
    getFormatter(),
    getLocale(),
  ])
  const location = await chosenLocation(query, locations)
  const asked = morningPage.read(query)
  const today = currentServiceDay(zoneOf(session, locations, location))
  const date = asked.date ?? today
  const morning = await readMorning(session, { date, location_id: location?.id })
  const shown = location ? [location] : locations.filter(({ is_active }) => is_active)
  const hrefOf = (day: string) =>
    morningPage.href({ date: day === today ? undefined : day, location_id: asked.location_id })
  return (
    <div className={classes.page}>
      <PageHeader title={t('title')} subtitle={format.dateTime(calendarDate(date), 'longDate')}>
        <DownloadLink
          href={morningPdf.href({ date, location_id: location?.id, language: locale })}
          confirm={false}
        >
          <IconPrinter size={16} aria-hidden />
          {t('pdf')}
        </DownloadLink>
        <nav className={classes.nav} aria-label={t('days.label')}>
          <LinkButton square href={hrefOf(addDays(date, -1))} aria-label={t('days.previous')}>
            <IconChevronLeft size={18} aria-hidden />
          </LinkButton>
          <LinkButton square href={hrefOf(addDays(date, 1))} aria-label={t('days.next')}>
            <IconChevronRight size={18} aria-hidden />
          </LinkButton>
          <LinkButton href={hrefOf(today)} aria-current={date === today ? 'date' : undefined}>
            {t('days.today')}
          </LinkButton>
        </nav>
      </PageHeader>
      <ClosingsBanner
        closings={morning.closings}
        at={({ day, location: place }) =>
          [
            day === date && date === today
              ? t('days.today')
              : format.dateTime(calendarDate(day), 'shortDate'),
            ...(morning.locations.length > 1 ? [place] : []),
          ].join(' · ')
        }
      />
      <Yesterday morning={morning} />
      {date === today ? <StaleBanner locations={shown} /> : null}
      <div className={classes.grid}>
        <HandedOver morning={morning} />
        {session.can('canAccessClientes') ? (
          <GuestsToKnow
            guests={morning.guests}
            total={morning.guests_total}
            locationId={location?.id}
            date={date === today ? undefined : date}
          />
        ) : null}
      </div>
      <AtRisk session={session} date={date} locationId={location?.id} />
      <DaysAhead morning={morning} />
    </div>
  )
}
