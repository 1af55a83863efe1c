import { IconFileSpreadsheet, IconFileTypeCsv } from '@tabler/icons-react'
import { useLocale, useTranslations } from 'next-intl'
import { CloseAction } from '@/components/closings/close-action'
import { ConfirmedDownload } from '@/components/forms/confirmed-download'
import { MoreMenu } from '@/components/ui/more-menu'
import { weekStart } from '@/components/ui/service-day'
import { addDays } from '@/lib/dates'
import { reservationsExport } from '@/lib/reservations/filters'
import type { DayQuery } from './day-query'

const ICONS = { csv: IconFileTypeCsv, xlsx: IconFileSpreadsheet }

interface DayMenuProps {
  day: DayQuery
  locations: { value: string; label: string }[]
  locationId: string
  /** The local time there when the day is today. */
  clock: string | undefined
  /** Whether downloads ask for a code of the second factor. */
  confirm: boolean
}

/** What is done more rarely: downloads (the day with the list's filters, or the whole week), and closing a day. */
export function DayMenu({ day, locations, locationId, clock, confirm }: DayMenuProps) {
  const t = useTranslations('reservations.files')
  const language = useLocale()
  const { location, view, status, source, risk, search } = day
  const monday = weekStart(day.date)
  const days = view === 'week' ? { date: monday, until: addDays(monday, 6) } : { date: day.date }
  const filters = view === 'week' ? {} : { status, source, risk, search }
  const hrefOf = (format: keyof typeof ICONS) =>
    reservationsExport.href({ ...days, ...filters, location_id: location?.id, format, language })
  return (
    <MoreMenu label={t('label')}>
      {(['csv', 'xlsx'] as const).map((format) => {
        const Icon = ICONS[format]
        const content = (
          <>
            <Icon size={16} aria-hidden />
            {t(format)}
          </>
        )
        return confirm ? (
          <ConfirmedDownload key={format} href={hrefOf(format)}>
            {content}
          </ConfirmedDownload>
        ) : (
          <a key={format} href={hrefOf(format)} download>
            {content}
          </a>
        )
      })}
      {locations.length > 0 ? (
        <CloseAction locations={locations} locationId={locationId} day={day.date} clock={clock} />
      ) : null}
    </MoreMenu>
  )
}
