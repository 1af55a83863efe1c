import { IconCalendarOff, IconFilterOff } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { EmptyState } from '@/components/ui/empty-state'
import { LinkButton } from '@/components/ui/link-button'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { count, EXPECTED } from '@/components/ui/service-count'
import type { Location } from '@/lib/organization/list-locations'
import type { ServiceFigure } from '@/lib/overview/service-summary'
import type { ListedReservation } from '@/lib/reservations/schema'
import { type DayQuery, dayHref } from './day-query'
import { WHOLE_DAY } from './load-day'
import { ReservationTable } from './reservation-table'
import { Timeline } from './timeline'

interface DayViewProps {
  day: DayQuery
  page: { data: ListedReservation[]; next_cursor: string | null }
  locations: readonly Location[]
  figures: readonly ServiceFigure[]
  /** Whether names lead to the customer. */
  linked: boolean
}

/** A day's reservations that pass the filters, as a list in pages or by hour. */
export function DayView({ day, page, locations, figures, linked }: DayViewProps) {
  const t = useTranslations('reservations')
  const { location, source } = day
  const byHour = day.view === 'timeline'
  const filtered = day.statuses.length > 0 || source !== undefined || day.search !== ''
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
          linked={linked}
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
