import { IconCheck } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import type { Reservation } from '@/lib/reservations/schema'
import classes from './visit-mark.module.css'

type Attendance = Pick<Reservation, 'status' | 'visited'>

/** Why a reservation counts as a visit or not, as the name of a text, where its status alone does not say so. */
export function visitReason({ status, visited }: Attendance) {
  if (visited === null || status === 'completed' || status === 'cancelled' || status === 'no_show')
    return null
  if (visited) return status === 'seated' ? 'seated' : 'unmarked'
  return status === 'pending' ? 'pending' : 'uncounted'
}

/** Beside the status of a reservation whose service is over: whether the guest came. */
export function VisitMark({ reservation }: { reservation: Attendance }) {
  const t = useTranslations('status.visit')
  const reason = visitReason(reservation)
  if (!reason) return null
  return (
    <small
      className={classes.mark}
      data-visited={reservation.visited || undefined}
      title={t(`why.${reason}`)}
    >
      {reservation.visited ? <IconCheck size={13} stroke={2} aria-hidden /> : null}
      {t(reservation.visited ? 'yes' : 'no')}
    </small>
  )
}
