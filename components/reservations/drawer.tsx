import { IconCalendarX } from '@tabler/icons-react'
import { getTranslations } from 'next-intl/server'
import { EmptyState } from '@/components/ui/empty-state'
import type { Session } from '@/lib/auth/session'
import { getCustomer } from '@/lib/customers/get-customer'
import type { Location } from '@/lib/organization/list-locations'
import { customerHistory } from '@/lib/reservations/customer-history'
import { findReservation, reservationActivity, staffMarks } from '@/lib/reservations/read-reservation'
import { Activity } from './activity'
import { type DayQuery, dayHref } from './day-query'
import classes from './drawer.module.css'
import { DrawerFrame } from './drawer-frame'
import { Guest } from './guest'
import { ReservationControls } from './reservation-controls'
import { ReservationFacts } from './reservation-facts'

interface DrawerProps {
  session: Session
  id: string
  day: DayQuery
  locations: readonly Location[]
}

/** A reservation beside the list: what was booked, what can be done with it, who comes, and who changed what. */
export async function Drawer({ session, id, day, locations }: DrawerProps) {
  const [reservation, t, texts] = await Promise.all([
    findReservation(session, id),
    getTranslations('reservations.drawer'),
    getTranslations('reservation'),
  ])
  const closed = dayHref(day, { cursor: day.cursor })
  if (!reservation)
    return (
      <DrawerFrame title={t('gone')} closed={closed}>
        <EmptyState icon={IconCalendarX} title={t('gone')} text={t('goneText')} />
      </DrawerFrame>
    )
  const customerId = session.can('canAccessClientes') ? reservation.customer_id : null
  const isPms = reservation.source === 'pms'
  const [customer, history, marks, activity] = await Promise.all([
    customerId ? getCustomer(session, customerId) : null,
    customerId ? customerHistory(session, customerId, { limit: 6 }) : null,
    staffMarks(session, id),
    reservationActivity(session, id),
  ])
  return (
    <DrawerFrame title={reservation.customer_name ?? texts('noName')} closed={closed}>
      <ReservationFacts
        reservation={reservation}
        marks={marks}
        location={locations.find((one) => one.id === reservation.location_id)}
      />
      <ReservationControls
        key={reservation.id}
        reservation={reservation}
        pmsStatus={marks.status}
        locations={locations.map(({ id: value, name: label }) => ({ value, label }))}
        findsCustomers={session.can('canAccessClientes')}
      />
      {isPms ? <p className={classes.managed}>{t('managed')}</p> : null}
      {customer ? (
        <Guest
          customer={customer}
          visits={(history?.data ?? []).filter((visit) => visit.id !== reservation.id).slice(0, 5)}
        />
      ) : (
        <p className={classes.none}>{reservation.customer_id ? t('noCustomerAccess') : t('noCustomer')}</p>
      )}
      <Activity entries={activity} />
    </DrawerFrame>
  )
}
