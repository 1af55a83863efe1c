import { useTranslations } from 'next-intl'
import { CustomerLink } from '@/components/ui/customer-link'
import { Note } from '@/components/ui/note'
import { TierBadge } from '@/components/ui/tier-badge'
import type { ListedReservation } from '@/lib/reservations/schema'
import classes from './arrivals.module.css'

/** One expected party: when, who, how many, where, and what to know. */
export function Arrival({ arrival, linked }: { arrival: ListedReservation; linked: boolean }) {
  const t = useTranslations('reservation')
  return (
    <li className={classes.item}>
      <time className={classes.time}>{arrival.reservation_time}</time>
      <div className={classes.body}>
        <div className={classes.who}>
          <CustomerLink id={linked ? arrival.customer_id : null} name={arrival.customer_name} />
          <TierBadge tier={arrival.customer?.loyalty_tier} />
        </div>
        <p className={classes.where}>
          {t('party', { count: arrival.party_size })} · {arrival.location?.name}
        </p>
        <Note text={arrival.notes} />
      </div>
    </li>
  )
}
