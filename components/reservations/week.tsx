import { useFormatter, useTranslations } from 'next-intl'
import { Panel } from '@/components/ui/panel'
import type { Location } from '@/lib/organization/list-locations'
import type { DailyFigure } from '@/lib/overview/daily-summary'
import { addDays } from '@/lib/pms/sync/window'
import type { DayQuery } from './day-query'
import { KnownUntil } from './known-until'
import { hasNoData, sumOf } from './week-figures'
import { WeekList } from './week-list'
import { WeekTable } from './week-table'

export interface WeekProps {
  day: DayQuery
  monday: string
  locations: readonly Location[]
  figures: readonly DailyFigure[]
}

/** Seven days by location; each day leads to its list. */
export function Week({ day, monday, locations, figures }: WeekProps) {
  const t = useTranslations('reservations.week')
  const format = useFormatter()
  const dates = Array.from({ length: 7 }, (_, index) => addDays(monday, index))
  const shown = locations.filter(({ id }) => !day.location || id === day.location.id)
  const sum = sumOf(figures, shown, dates)
  const { reservations, covers, no_shows } = sum
  const view = { day, dates, locations: shown, figures }
  return (
    <Panel
      title={t('title')}
      aside={
        hasNoData(sum)
          ? t('noData')
          : t('totals', { reservations, covers, noShows: no_shows, shown: format.number(covers) })
      }
      flush
    >
      <WeekTable {...view} />
      <WeekList {...view} />
      {sum.known === 'all' ? null : <KnownUntil locations={shown} />}
    </Panel>
  )
}
