import type { Metadata } from 'next'
import { getFormatter, getTranslations } from 'next-intl/server'
import { Agenda } from '@/components/calendar/agenda'
import { CalendarDesk, NewEvent } from '@/components/calendar/calendar-desk'
import { parseCalendarQuery } from '@/components/calendar/calendar-query'
import { eventsByDate, loadEvents, MAX_EVENTS } from '@/components/calendar/load-events'
import { weeksOf } from '@/components/calendar/month'
import { MonthGrid } from '@/components/calendar/month-grid'
import { MonthNav } from '@/components/calendar/month-nav'
import { PageHeader } from '@/components/ui/page-header'
import { Panel } from '@/components/ui/panel'
import { pageSession } from '@/lib/auth/page-session'
import { calendarDate } from '@/lib/i18n/formats'
import { chosenLocation, zoneOf } from '@/lib/locations/chosen-location'
import { listLocations } from '@/lib/locations/locations'
import { listColleagues } from '@/lib/team/members'
import classes from './page.module.css'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('calendar') }
}

/** The events of a month, as a grid or as an agenda. */
export default async function CalendarPage({ searchParams }: PageProps<'/calendar'>) {
  const session = await pageSession()
  const [query, locations, colleagues, t, format] = await Promise.all([
    searchParams,
    listLocations(session),
    listColleagues(session),
    getTranslations('calendar'),
    getFormatter(),
  ])
  const chosen = await chosenLocation(query, locations)
  const shown = parseCalendarQuery(query, chosen, zoneOf(session, locations, chosen))
  const dates = weeksOf(shown.month).flat()
  const [first = '', last = ''] = [dates[0], dates.at(-1)]
  const { events, hasMore } = await loadEvents(session, locations, { first, last, location: shown.location })
  const byDate = eventsByDate(events, dates)
  const title = format.dateTime(calendarDate(`${shown.month}-01`), {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const choices = {
    locations: locations.map(({ id, name, timezone }) => ({ value: id, label: name, timezone })),
    colleagues: colleagues.map(({ id, name }) => ({ value: id, label: name })),
    mayPickCustomer: session.can('canAccessClientes'),
    timezone: session.organization.timezone,
  }
  return (
    <CalendarDesk choices={choices}>
      <PageHeader title={t('title')} subtitle={title}>
        <MonthNav shown={shown} />
        <NewEvent />
      </PageHeader>
      {hasMore ? <p className={classes.note}>{t('tooMany', { count: MAX_EVENTS })}</p> : null}
      {shown.view === 'agenda' ? null : (
        <div className={shown.view ? undefined : classes.wide}>
          <Panel title={t('caption', { month: title })} flush hideTitle>
            <MonthGrid shown={shown} title={title} byDate={byDate} />
          </Panel>
        </div>
      )}
      {shown.view === 'month' ? null : (
        <div className={shown.view ? undefined : classes.narrow}>
          <Panel title={t('upcoming', { month: title })} flush hideTitle>
            <Agenda shown={shown} byDate={byDate} />
          </Panel>
        </div>
      )}
    </CalendarDesk>
  )
}
