import { useFormatter, useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import { shownName } from '@/lib/customers/person-name'
import { calendarDate } from '@/lib/i18n/formats'
import type { MissingAt } from '@/lib/pms/missing-bookings'
import { reservationsPage } from '@/lib/reservations/filters'
import classes from './left-pms.module.css'

/** In a location's row: how many of its bookings left the PMS, and which. Renders nothing when none did. */
export function LeftPmsNote({ left }: { left: MissingAt | undefined }) {
  const t = useTranslations('sync.left')
  if (!left) return null
  const more = left.cancelled - left.bookings.length
  return (
    <>
      {left.not_applied > 0 ? (
        <span className={classes.note}>{t('notApplied', { count: left.not_applied })}</span>
      ) : null}
      {left.cancelled > 0 ? (
        <div className={classes.note}>
          {t('cancelled', { count: left.cancelled })}{' '}
          <ul>
            {left.bookings.map((booking) => (
              <li key={booking.id}>
                <Booking booking={booking} locationId={left.location_id} />
              </li>
            ))}
            {more > 0 ? <li>{t('more', { count: more })}</li> : null}
          </ul>
        </div>
      ) : null}
    </>
  )
}

/** A booking by name, day and time, which opens it in the list of its service. */
function Booking({ booking, locationId }: { booking: MissingAt['bookings'][number]; locationId: string }) {
  const t = useTranslations('sync.left')
  const format = useFormatter()
  const href = reservationsPage.href({
    date: booking.service_date,
    location_id: locationId,
    reservation: booking.id,
  })
  return (
    <Link href={href}>
      {t('booking', {
        name: shownName(booking.customer_name ?? t('noName')),
        date: format.dateTime(calendarDate(booking.reservation_date), 'shortDate'),
        time: booking.reservation_time,
      })}
    </Link>
  )
}
