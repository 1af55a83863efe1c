import { useTranslations } from 'next-intl'
import { CustomerLink } from '@/components/ui/customer-link'
import { Note } from '@/components/ui/note'
import { RowLink } from '@/components/ui/row-link'
import { StatusBadge } from '@/components/ui/status-badge'
import { TierBadge } from '@/components/ui/tier-badge'
import type { ListedReservation } from '@/lib/reservations/schema'
import classes from './reservation-row.module.css'

interface ReservationRowProps {
  reservation: ListedReservation
  /** Opens it beside the list. */
  href: string
  withLocation: boolean
  linked: boolean
}

/** One reservation; the whole row opens it. On a phone what the hidden columns say stands under the name. */
export function ReservationRow({ reservation, href, withLocation, linked }: ReservationRowProps) {
  const t = useTranslations('reservation')
  const { customer, location, notes, status } = reservation
  const place = [reservation.zone_name, reservation.table_name].filter(Boolean).join(' · ')
  const under = [withLocation ? location?.name : null, place].filter(Boolean).join(' · ')
  const visits = customer ? t('visits', { count: customer.total_visits }) : null
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
        <div data-narrow>
          {under ? <small>{under}</small> : null}
          <TierBadge tier={customer?.loyalty_tier} />
          <Note text={notes} />
        </div>
      </td>
      <td data-num data-wide>
        {reservation.party_size}
      </td>
      <td data-wide>
        {withLocation ? location?.name : place}
        {withLocation && place ? <small className={classes.line}>{place}</small> : null}
      </td>
      <td className={classes.status}>
        <StatusBadge status={status} />
        <small data-narrow>{t('party', { count: reservation.party_size })}</small>
      </td>
      <td data-wide="md">
        <span className={classes.loyalty}>
          <TierBadge tier={customer?.loyalty_tier} />
          {visits ? <small>{visits}</small> : null}
        </span>
      </td>
      <td data-wide className={classes.notes}>
        <Note text={notes} />
      </td>
    </tr>
  )
}
