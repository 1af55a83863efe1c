import { useTranslations } from 'next-intl'
import { DataTable } from '@/components/ui/data-table'
import type { ListedReservation } from '@/lib/reservations/schema'
import { type DayQuery, reservationHref } from './day-query'
import { ReservationRow } from './reservation-row'

interface ReservationTableProps {
  day: DayQuery
  reservations: readonly ListedReservation[]
  /** Whether each row says its location. */
  withLocation: boolean
  /** Whether names lead to the customer. */
  linked: boolean
}

/** A day's reservations in order of time. */
export function ReservationTable({ day, reservations, withLocation, linked }: ReservationTableProps) {
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
            href={reservationHref(day, reservation.id)}
            withLocation={withLocation}
            linked={linked}
          />
        ))}
      </tbody>
    </DataTable>
  )
}
