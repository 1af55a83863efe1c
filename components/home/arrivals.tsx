import { IconClockHour4 } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { Allergies } from '@/components/customers/allergy-badges'
import { TierBadge } from '@/components/ui/badge'
import { CustomerLink } from '@/components/ui/customer-link'
import { EmptyState } from '@/components/ui/empty-state'
import { Note } from '@/components/ui/note'
import { Panel } from '@/components/ui/panel'
import { localTime } from '@/components/ui/service-day'
import type { Session } from '@/lib/auth/session'
import { type Allergy, allergiesOf } from '@/lib/customers/allergies'
import type { Location } from '@/lib/locations/locations'
import { nextArrivals } from '@/lib/overview/reads'
import type { ListedReservation } from '@/lib/reservations/schema'
import classes from './arrivals.module.css'

/** The next arrivals; streamed after the page's first content. */
export async function ArrivalsPanel({
  session,
  locationId,
  known,
  locations,
}: {
  session: Session
  locationId?: string
  known: boolean
  /** The locations of the list. */
  locations: readonly Location[]
}) {
  const arrivals = await nextArrivals(session, { locationId })
  const allergies = await allergiesOf(
    session,
    arrivals.map(({ customer_id }) => customer_id),
  )
  return (
    <Arrivals
      arrivals={arrivals}
      allergies={allergies}
      known={known}
      linked={session.can('canAccessClientes')}
      elsewhere={awayFrom(locations)}
    />
  )
}

/** The locations in another time zone than most: their times seem out of order among the others. */
function awayFrom(locations: readonly Location[]): ReadonlySet<string> {
  const zones = Map.groupBy(locations, ({ timezone }) => localTime(timezone))
  const [, ...others] = [...zones.values()].toSorted((one, other) => other.length - one.length)
  return new Set(others.flat().map(({ id }) => id))
}

interface ArrivalsProps {
  arrivals: readonly ListedReservation[]
  /** The recorded allergies, by the customer's id. */
  allergies: ReadonlyMap<string, Allergy[]>
  /** Whether today was fetched from the PMS: if not, an empty list does not mean that there are no arrivals. */
  known: boolean
  /** Whether names link to the customer. */
  linked: boolean
  /** The locations whose times are in another time zone. */
  elsewhere: ReadonlySet<string>
}

/** The next arrivals of the current service. */
function Arrivals({ arrivals, allergies, known, linked, elsewhere }: ArrivalsProps) {
  const t = useTranslations('home.arrivals')
  return (
    <Panel title={t('title')} flush={arrivals.length > 0}>
      {arrivals.length > 0 ? (
        <ul className={classes.list}>
          {arrivals.map((arrival) => (
            <Arrival
              key={arrival.id}
              arrival={arrival}
              allergies={allergies.get(arrival.customer_id ?? '')}
              linked={linked}
              isElsewhere={elsewhere.has(arrival.location_id)}
            />
          ))}
        </ul>
      ) : (
        <EmptyState
          icon={IconClockHour4}
          title={t(known ? 'none' : 'noData')}
          text={t(known ? 'noneText' : 'noDataText')}
        />
      )}
    </Panel>
  )
}

/** An expected reservation: time, customer, party size, location and notes. */
function Arrival({
  arrival,
  allergies,
  linked,
  isElsewhere,
}: {
  arrival: ListedReservation
  allergies: readonly Allergy[] | undefined
  linked: boolean
  isElsewhere: boolean
}) {
  const t = useTranslations('reservation')
  return (
    <li className={classes.item}>
      <time className={classes.time}>{arrival.reservation_time}</time>
      <div className={classes.body}>
        <div className={classes.who}>
          <CustomerLink id={linked ? arrival.customer_id : null} name={arrival.customer_name} />
          <TierBadge tier={arrival.customer?.loyalty_tier} />
        </div>
        <Allergies allergies={allergies} />
        <p className={classes.where}>
          {t('party', { count: arrival.party_size })} · {arrival.location?.name}
          {isElsewhere ? ` · ${t('localTime')}` : null}
        </p>
        <Note text={arrival.notes} />
      </div>
    </li>
  )
}
