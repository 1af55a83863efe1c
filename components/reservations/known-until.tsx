import { useFormatter, useTranslations } from 'next-intl'
import { calendarDate } from '@/lib/i18n/formats'
import type { Location } from '@/lib/organization/list-locations'
import classes from './week.module.css'

/** What "no data" means in a week, and until when the PMS has been asked. */
export function KnownUntil({ locations }: { locations: readonly Location[] }) {
  const t = useTranslations('reservations.week')
  return <p className={classes.note}>{t('noDataNote', useKnownUntil(locations))}</p>
}

/** The last day that is known of all these locations, for a text; `known` is no when one was never asked for. */
export function useKnownUntil(locations: readonly Location[]): { known: string; date: string } {
  const format = useFormatter()
  const asked = locations.filter(({ pms_id, is_active }) => pms_id !== null && is_active)
  const [first = null] = asked.map(({ known_until }) => known_until ?? '').sort()
  return first
    ? { known: 'yes', date: format.dateTime(calendarDate(first), 'date') }
    : { known: 'no', date: '' }
}
