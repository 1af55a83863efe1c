import { useTranslations } from 'next-intl'
import { CustomerLink } from '@/components/ui/customer-link'
import { Note } from '@/components/ui/note'
import { RowLink } from '@/components/ui/row-link'
import { StatusBadge } from '@/components/ui/status-badge'
import { TierBadge } from '@/components/ui/tier-badge'
import { VisitMark } from '@/components/ui/visit-mark'
import type { ListedReservation } from '@/lib/reservations/schema'
import classes from './reservation-row.module.css'

interface ReservationRowProps {
  reservation: ListedReservation
  /** Opens it beside the list. */
  href: string
  withLocation: boolean
  linked: boolean
}

/** One reservation; the whole row opens it. On a phone the cells stand around and under the name. */
export function ReservationRow({ reservation, href, withLocation, linked }: ReservationRowProps) {
  const t = useTranslations('reservation')
  const { customer, location, notes, party_size, status } = reservation
  const place = [reservation.zone_name, reservation.table_name].filter(Boolean).join(' · ')
  return (
    <tr className={classes.row}>
      <td data-nowrap>
        <RowLink
          href={href}
          beside
          className={classes.time}
          aria-label={t('open', {
            name: reservation.customer_name ?? t('noName'),
            time: reservation.reservation_time,
          })}
        >
          <time>{reservation.reservation_time}</time>
        </RowLink>
      </td>
      <td className={classes.name}>
        <CustomerLink id={linked ? reservation.customer_id : null} name={reservation.customer_name} />
      </td>
      <td className={classes.party} data-num>
        {party_size}
        <small data-narrow> {t('partyUnit', { count: party_size })}</small>
      </td>
      <td className={classes.place}>
        {withLocation ? location?.name : place}
        {withLocation && place ? <small>{place}</small> : null}
      </td>
      <td className={classes.status}>
        <StatusBadge status={status} />
        <VisitMark reservation={reservation} />
      </td>
      <td className={classes.loyalty}>
        <TierBadge tier={customer?.loyalty_tier} />
        {customer ? <small>{t('visits', { count: customer.total_visits })}</small> : null}
      </td>
      <td className={classes.notes}>
        <Note text={notes} />
      </td>
    </tr>
  )
}
