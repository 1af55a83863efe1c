import { IconCalendarOff, IconFilterOff } from '@tabler/icons-react'
import { getTranslations } from 'next-intl/server'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { LinkButton } from '@/components/ui/link-button'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { count, EXPECTED } from '@/components/ui/service-count'
import type { Session } from '@/lib/auth/session'
import type { Location } from '@/lib/organization/list-locations'
import type { ServiceFigure } from '@/lib/overview/service-summary'
import { listDay } from '@/lib/reservations/list-day'
import { type DayQuery, dayHref } from './day-query'
import { ReservationTable } from './reservation-table'
import { Timeline } from './timeline'

// A service of several locations; beyond it the timeline asks to filter.
const WHOLE_DAY = 500

interface DayViewProps {
  day: DayQuery
  session: Session
  locations: readonly Location[]
  figures: readonly ServiceFigure[]
}

/** A day's reservations that pass the filters, as a list in pages or by hour. */
export async function DayView({ day, session, locations, figures }: DayViewProps) {
  const { date, location, source, search } = day
  const byHour = day.view === 'timeline'
  const filtered = day.statuses.length > 0 || source !== undefined || search !== ''
  // By hour only who comes takes up room, unless one asks for the others.
  const statuses = byHour && day.statuses.length === 0 ? EXPECTED : day.statuses
  const filters = { date, locationId: location?.id, statuses, source, search }
  const [t, page] = await Promise.all([
    getTranslations('reservations'),
    byHour
      ? listDay(session, { ...filters, limit: WHOLE_DAY })
      : fromCursor(day.cursor, (cursor) => listDay(session, { ...filters, cursor })),
  ])
  const next = page.next_cursor
  return (
    <Panel title={t('list')} aside={t('totals', { ...count(figures, EXPECTED) })} flush>
      {page.data.length === 0 ? (
        filtered ? (
          <EmptyState icon={IconFilterOff} title={t('noMatch')} text={t('noMatchText')}>
            <LinkButton href={dayHref(day, { statuses: [], source: undefined, search: '' })}>
              {t('clear')}
            </LinkButton>
          </EmptyState>
        ) : (
          <EmptyState icon={IconCalendarOff} title={t('none')} text={t('noneText')} />
        )
      ) : byHour ? (
        <>
          <Timeline day={day} reservations={page.data} locations={locations} />
          {next ? <EmptyState icon={IconFilterOff} title={t('cut', { count: WHOLE_DAY })} /> : null}
        </>
      ) : (
        <ReservationTable
          day={day}
          reservations={page.data}
          withLocation={!location && locations.length > 1}
          linked={session.can('canAccessClientes')}
        />
      )}
      {byHour ? null : (
        <Pager
          label={t('pages')}
          first={day.cursor ? { href: dayHref(day), text: t('firstPage') } : null}
          next={next ? { href: dayHref(day, { cursor: next }), text: t('nextPage') } : null}
        />
      )}
    </Panel>
  )
}
