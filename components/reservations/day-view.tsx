import { IconCalendarOff, IconCalendarQuestion, IconFilterOff } from '@tabler/icons-react'
import { useLocale, useTranslations } from 'next-intl'
import { EmptyGroup } from '@/components/setup/empty-group'
import { EmptyState } from '@/components/ui/empty-state'
import { LinkButton } from '@/components/ui/link-button'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { count, EXPECTED } from '@/components/ui/service-count'
import type { Session } from '@/lib/auth/session'
import { isFiltered } from '@/lib/http/page-address'
import { knownOf, unknownAt } from '@/lib/locations/known-days'
import type { Location } from '@/lib/locations/locations'
import type { ServiceFigure } from '@/lib/overview/reads'
import { reservationFilters } from '@/lib/reservations/filters'
import { type DayQuery, dayHref } from './day-query'
import { type DayPage, WHOLE_DAY } from './load-day'
import { ReservationTable } from './reservation-table'
import { Timeline } from './timeline'
import classes from './week.module.css'
import { useKnownUntil } from './week-figures'

// The day and the location are chosen elsewhere on the page.
const narrowing = reservationFilters.omit({ date: true, location_id: true })

interface DayViewProps {
  day: DayQuery
  page: DayPage
  locations: readonly Location[]
  figures: readonly ServiceFigure[]
  /** Whether names link to the customer. */
  linked: boolean
  /** What the group lacks before it can have reservations; null when nothing. */
  need: 'locations' | 'reservations' | null
  can: Session['can']
}

/** A day's reservations that pass the filters, as a list in pages or by hour. */
export function DayView({ day, page, locations, figures, linked, need, can }: DayViewProps) {
  const t = useTranslations('reservations')
  const { location } = day
  const byHour = day.view === 'timeline'
  const filtered = isFiltered(narrowing, day)
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
      aside={
        noData
          ? t('noData.totals')
          : day.risk
            ? null
            : day.status?.length
              ? t('totalsOfStatus', { ...count(figures, day.status) })
              : t('totals', { ...count(figures, EXPECTED) })
      }
      flush
    >
      {unknown.length > 0 && !noData ? (
        <p className={classes.note}>{t('noData.partial', { places })}</p>
      ) : null}
      {day.risk && page.data.length > 0 ? <p className={classes.note}>{t('drawer.riskHint')}</p> : null}
      {page.data.length === 0 ? (
        filtered ? (
          <EmptyState icon={IconFilterOff} title={t('noMatch')} text={t('noMatchText')}>
            <LinkButton
              href={dayHref(day, {
                status: undefined,
                source: undefined,
                risk: undefined,
                search: undefined,
              })}
            >
              {t('clear')}
            </LinkButton>
          </EmptyState>
        ) : need ? (
          <EmptyGroup need={need} can={can} />
        ) : noData ? (
          <EmptyState icon={IconCalendarQuestion} title={t('noData.title')} text={t('noData.text', until)} />
        ) : (
          <EmptyState icon={IconCalendarOff} title={t('none')} text={t('noneText')} />
        )
      ) : byHour ? (
        <>
          <Timeline day={day} reservations={page.data} locations={locations} allergies={page.allergies} />
          {next ? <EmptyState icon={IconFilterOff} title={t('cut', { count: WHOLE_DAY })} /> : null}
        </>
      ) : (
        <ReservationTable
          day={day}
          reservations={page.data}
          risks={page.risks}
          allergies={page.allergies}
          withLocation={!location && locations.length > 1}
          linked={linked}
        />
      )}
      {byHour ? null : (
        <Pager
          label={t('pages')}
          path={day.cursor}
          next={next}
          hrefAt={(path) => dayHref(day, { cursor: path })}
          texts={{ first: t('firstPage'), next: t('nextPage') }}
        />
      )}
    </Panel>
  )
}
