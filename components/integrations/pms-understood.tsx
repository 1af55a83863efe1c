import { useFormatter, useTranslations } from 'next-intl'
import { calendarDate } from '@/lib/i18n/formats'
import type { PmsDetails } from '@/lib/pms/details'
import classes from './connection-test.module.css'

/** What a PMS answered about one day, for comparison with its own screen; what does not fit is marked. */
export function PmsUnderstood({ details }: { details: PmsDetails }) {
  const t = useTranslations('client.integrations.test.pms')
  const format = useFormatter()
  const { venue, first, last, bookings, covers, by_status, shape, pages } = details
  const statuses = (Object.keys(by_status) as (keyof typeof by_status)[]).filter(
    (status) => by_status[status] > 0,
  )
  const words = details.unknown_statuses.map(({ value, count }) =>
    value === '' ? t('noWord', { count }) : t('word', { value, count }),
  )
  const problems = details.unreadable.map(({ problem, count }) => t('problem', { problem, count }))
  const unreadable = details.unreadable.reduce((sum, { count }) => sum + count, 0)
  const day = format.dateTime(calendarDate(details.day), 'shortDate')
  return (
    <ul className={classes.understood}>
      {first !== null && last !== null ? (
        <>
          <li>{t('day', { day, venue, bookings, covers, first, last })}</li>
          <li>
            {t('statuses', {
              list: statuses.map((status) => t(`status.${status}`, { count: by_status[status] })).join(', '),
            })}
          </li>
          <li>{t('withoutContact', { count: details.without_contact })}</li>
        </>
      ) : null}
      {shape === null ? <li data-warning>{t('none', { venue })}</li> : <li>{t('form', { shape, pages })}</li>}
      {words.length > 0 ? <li data-warning>{t('unknown', { list: words.join(', ') })}</li> : null}
      {unreadable > 0 ? (
        <li data-warning>{t('unreadable', { count: unreadable, list: problems.join(', ') })}</li>
      ) : null}
      {details.other_days > 0 ? <li data-warning>{t('otherDays', { count: details.other_days })}</li> : null}
      {details.repeated > 0 ? <li data-warning>{t('repeated', { count: details.repeated })}</li> : null}
    </ul>
  )
}
