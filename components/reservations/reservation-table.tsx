import { useTranslations } from 'next-intl'
import { Allergies } from '@/components/customers/allergy-badges'
import { Badge, StatusBadge, TierBadge } from '@/components/ui/badge'
import { CustomerLink } from '@/components/ui/customer-link'
import { DataTable } from '@/components/ui/data-table'
import { Link } from '@/components/ui/link'
import { Note } from '@/components/ui/note'
import { VisitMark } from '@/components/ui/visit-mark'
import type { Allergy } from '@/lib/customers/allergies'
import { shownName } from '@/lib/customers/person-name'
import type { NoShowRisk } from '@/lib/reservations/risk-schema'
import type { ListedReservation } from '@/lib/reservations/schema'
import { type DayQuery, reservationHref } from './day-query'
import classes from './reservation-table.module.css'
import { RISK_TONES, riskReasons } from './risk-reasons'

interface ReservationTableProps {
  day: DayQuery
  reservations: readonly ListedReservation[]
  /** The no-show risk of each, by its id, where it is to be shown. */
  risks: ReadonlyMap<string, NoShowRisk>
  /** The recorded allergies, by the customer's id. */
  allergies: ReadonlyMap<string, Allergy[]>
  /** Whether each row shows its location. */
  withLocation: boolean
  /** Whether names link to the customer. */
  linked: boolean
}

/** A day's reservations in order of time. */
export function ReservationTable({
  day,
  reservations,
  risks,
  allergies,
  withLocation,
  linked,
}: ReservationTableProps) {
  const t = useTranslations('reservations.columns')
  return (
    <DataTable caption={t('caption')} phoneColumns="48px minmax(0, 1fr) auto">
      <thead>
        <tr>
          <th scope="col">{t('time')}</th>
          <th scope="col">{t('name')}</th>
          <th scope="col" data-num data-wide>
            {t('party')}
          </th>
          <th scope="col" data-wide>
            {withLocation ? t('location') : t('place')}
          </th>
          <th scope="col">{t('status')}</th>
          <th scope="col" data-wide="md">
            {t('loyalty')}
          </th>
          <th scope="col" data-wide>
            {t('notes')}
          </th>
        </tr>
      </thead>
      <tbody>
        {reservations.map((reservation) => (
          <ReservationRow
            key={reservation.id}
            reservation={reservation}
            risk={risks.get(reservation.id)}
            allergies={allergies.get(reservation.customer_id ?? '') ?? []}
            href={reservationHref(day, reservation.id)}
            withLocation={withLocation}
            linked={linked}
          />
        ))}
      </tbody>
    </DataTable>
  )
}

interface ReservationRowProps {
  reservation: ListedReservation
  risk: NoShowRisk | undefined
  allergies: readonly Allergy[]
  /** Opens the drawer. */
  href: string
  withLocation: boolean
  linked: boolean
}

/** A reservation; a click on the row opens it. On a phone the cells are around and below the name. */
function ReservationRow({ reservation, risk, allergies, href, withLocation, linked }: ReservationRowProps) {
  const t = useTranslations('reservation')
  const { customer, location, notes, party_size, status } = reservation
  const place = [reservation.zone_name, reservation.table_name].filter(Boolean).join(' · ')
  return (
    <tr className={classes.row}>
      <td data-nowrap>
        <Link
          prefetch={false}
          href={href}
          scroll={false}
          className={classes.time}
          aria-label={t('open', {
            name: shownName(reservation.customer_name ?? t('noName')),
            time: reservation.reservation_time,
          })}
        >
          <time>{reservation.reservation_time}</time>
        </Link>
      </td>
      <td className={classes.name}>
        <CustomerLink id={linked ? reservation.customer_id : null} name={reservation.customer_name} />
        <Allergies allergies={allergies} />
        {risk ? <RiskReasons risk={risk} /> : null}
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

/** How likely a no-show is, and why. */
function RiskReasons({ risk }: { risk: NoShowRisk }) {
  const t = useTranslations('client.risk')
  return (
    <span className={classes.risk}>
      <Badge tone={RISK_TONES[risk.level]}>{t(`level.${risk.level}`)}</Badge>
      <small>{riskReasons(t, risk)}</small>
    </span>
  )
}
