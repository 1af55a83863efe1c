import { IconCalendarOff, IconCalendarQuestion, IconFilterOff } from '@tabler/icons-react'
import { useLocale, useTranslations } from 'next-intl'
import { EmptyState } from '@/components/ui/empty-state'
import { LinkButton } from '@/components/ui/link-button'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { count, EXPECTED } from '@/components/ui/service-count'
import { knownOf, unknownAt } from '@/lib/locations/known-days'
import type { Location } from '@/lib/organization/list-locations'
import type { ServiceFigure } from '@/lib/overview/service-summary'
import type { ListedReservation } from '@/lib/reservations/schema'
import { type DayQuery, dayHref } from './day-query'
import { useKnownUntil } from './known-until'
import { WHOLE_DAY } from './load-day'
import { ReservationTable } from './reservation-table'
import { Timeline } from './timeline'
import classes from './week.module.css'

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
  const shown = location ? [location] : locations
  const unknown = unknownAt(shown, day.date)
  const noData = figures.length === 0 && knownOf(shown, [day.date]) === 'none'
  const until = useKnownUntil(shown)
  const places = new Intl.ListFormat(useLocale(), { type: 'conjunction' }).format(
    unknown.map(({ name }) => name),
  )
  return (
    <Panel
      title={t('list')}
      aside={noData ? t('noData.totals') : t('totals', { ...count(figures, EXPECTED) })}
      flush
    >
      {unknown.length > 0 && !noData ? (
        <p className={classes.note}>{t('noData.partial', { places })}</p>
      ) : null}
      {page.data.length === 0 ? (
        filtered ? (
          <EmptyState icon={IconFilterOff} title={t('noMatch')} text={t('noMatchText')}>
            <LinkButton href={dayHref(day, { statuses: [], source: undefined, search: '' })}>
              {t('clear')}
            </LinkButton>
          </EmptyState>
        ) : noData ? (
          <EmptyState icon={IconCalendarQuestion} title={t('noData.title')} text={t('noData.text', until)} />
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
