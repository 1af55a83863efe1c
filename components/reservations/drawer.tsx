import { IconCalendarX } from '@tabler/icons-react'
import { getFormatter, getTranslations } from 'next-intl/server'
import { EmptyState } from '@/components/ui/empty-state'
import { StatusBadge } from '@/components/ui/status-badge'
import type { Session } from '@/lib/auth/session'
import { getCustomer } from '@/lib/customers/get-customer'
import { calendarDate } from '@/lib/i18n/formats'
import type { Location } from '@/lib/organization/list-locations'
import { customerHistory } from '@/lib/reservations/customer-history'
import { findReservation } from '@/lib/reservations/read-reservation'
import { type DayQuery, dayHref } from './day-query'
import classes from './drawer.module.css'
import { DrawerFrame } from './drawer-frame'
import { Guest } from './guest'
import { ReservationControls } from './reservation-controls'

interface DrawerProps {
  session: Session
  id: string
  day: DayQuery
  locations: readonly Location[]
}

/** A reservation beside the list: what was booked, what can be done with it, and who comes. */
export async function Drawer({ session, id, day, locations }: DrawerProps) {
  const [reservation, t, texts, format] = await Promise.all([
    findReservation(session, id),
    getTranslations('reservations.drawer'),
    getTranslations('reservation'),
    getFormatter(),
  ])
  const closed = dayHref(day, { cursor: day.cursor })
  if (!reservation)
    return (
      <DrawerFrame title={t('gone')} closed={closed}>
        <EmptyState icon={IconCalendarX} title={t('gone')} text={t('goneText')} />
      </DrawerFrame>
    )
  const customerId = session.can('canAccessClientes') ? reservation.customer_id : null
  const [customer, history] = await Promise.all([
    customerId ? getCustomer(session, customerId) : null,
    customerId ? customerHistory(session, customerId, { limit: 6 }) : null,
  ])
  const location = locations.find((one) => one.id === reservation.location_id)
  const place = [reservation.zone_name, reservation.table_name].filter(Boolean).join(' · ')
  const facts: [string, string | null][] = [
    [t('date'), format.dateTime(calendarDate(reservation.reservation_date), 'longDate')],
    [t('time'), reservation.reservation_time],
    [t('party'), texts('party', { count: reservation.party_size })],
    [t('location'), location?.name ?? null],
    [t('place'), place || null],
    [
      t('amount'),
      reservation.total_amount === null ? null : format.number(reservation.total_amount, 'money'),
    ],
    [t('source'), t(`sources.${reservation.source}`)],
  ]
  return (
    <DrawerFrame title={reservation.customer_name ?? texts('noName')} closed={closed}>
      <div className={classes.status}>
        <StatusBadge status={reservation.status} />
      </div>
      <dl className={classes.facts}>
        {facts.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
      {reservation.notes ? <p className={classes.notes}>{reservation.notes}</p> : null}
      {reservation.source === 'pms' ? (
        <p className={classes.managed}>{t('managed')}</p>
      ) : (
        <ReservationControls
          key={reservation.id}
          reservation={reservation}
          locations={locations.map(({ id: value, name: label }) => ({ value, label }))}
          findsCustomers={session.can('canAccessClientes')}
        />
      )}
      {customer ? (
        <Guest
          customer={customer}
          visits={(history?.data ?? []).filter((visit) => visit.id !== reservation.id).slice(0, 5)}
        />
      ) : (
        <p className={classes.none}>{reservation.customer_id ? t('noCustomerAccess') : t('noCustomer')}</p>
      )}
    </DrawerFrame>
  )
}
