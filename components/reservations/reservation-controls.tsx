'use client'
import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useReopened } from '@/components/forms/draft-owner'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { Failure } from '@/components/ui/failure'
import { serviceDayOf } from '@/components/ui/service-day'
import type { Reservation } from '@/lib/reservations/schema'
import type { ReservationStatus } from '@/lib/reservations/status'
import classes from './drawer.module.css'
import { draftName } from './reservation-body'
import { type Done, UndoNotice } from './undo-notice'
import { type Said, useQuestions } from './use-questions'

// Without `ssr: false` the whole page would show its skeleton until the form is loaded.
const ReservationForm = dynamic(() => import('./reservation-form'), { ssr: false })
const MarkForm = dynamic(() => import('./mark-form'), { ssr: false })

interface ReservationControlsProps {
  reservation: Reservation
  /** The PMS' status, where staff set another one. */
  pmsStatus?: ReservationStatus
  /** Whether its service day is still to come. */
  ahead: boolean
  locations: { value: string; label: string }[]
  findsCustomers: boolean
}

/** The buttons that change the status and the fields of a reservation, with undo. */
export function ReservationControls(props: ReservationControlsProps) {
  const { reservation, pmsStatus, ahead, locations, findsCustomers } = props
  const t = useTranslations('client.booking')
  const form = useTranslations('client.form')
  const words = useErrorText()
  const router = useRouter()
  const [busy, setBusy] = useState<ReservationStatus | 'undo' | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [editing, setEditing] = useState(false)
  useReopened(draftName(reservation), () => setEditing(true))
  const [done, setDone] = useState<Done | null>(null)

  const [asking, setAsking] = useState<[body: object, now: typeof busy, result: Done] | null>(null)
  const questions = useQuestions((said) => {
    if (asking) void change(...asking, said)
  })

  async function change(body: object, now: typeof busy, result: Done, said: Said = {}) {
    setBusy(now)
    setFailure(null)
    const sent = await send('PATCH', `/api/reservations/${reservation.id}`, { ...body, ...said })
    setBusy(null)
    setAsking([body, now, result])
    if (!sent.ok) return questions.take(sent, said) ? undefined : setFailure(words.ofRefusal(sent))
    setDone(result)
    router.refresh()
  }
  const undo = (before: object) => () => void change(before, 'undo', { text: t('undone') })

  function label(status: ReservationStatus): string {
    const from = reservation.status
    if (status === 'completed' && isOver(reservation)) return t('came')
    if (status === 'confirmed' && from !== 'pending') return t('back.confirmed')
    if (status === 'seated' && from === 'completed') return t('back.seated')
    return t(`become.${status}`)
  }

  const FieldsForm = reservation.source === 'pms' ? MarkForm : ReservationForm
  return (
    <>
      <div className={classes.actions}>
        {nextStates(reservation, pmsStatus, ahead).map((status, index) => (
          <Button
            key={status}
            variant={index === 0 ? 'filled' : 'default'}
            loading={busy === status}
            disabled={busy !== null && busy !== status}
            onClick={(event) =>
              change({ status }, status, {
                text: t(`became.${status}`),
                undo: undo({ status: reservation.status }),
                byKeyboard: event.detail === 0,
              })
            }
          >
            {label(status)}
          </Button>
        ))}
        <Button
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
          onClick={() => setEditing(true)}
        >
          {reservation.source === 'pms' ? t('mark') : form('edit')}
        </Button>
      </div>
      <UndoNotice done={done} onGone={() => setDone(null)} />
      <Failure text={failure} />
      {questions.node}
      {editing ? (
        <FieldsForm
          reservation={reservation}
          locations={locations}
          findsCustomers={findsCustomers}
          locationId={reservation.location_id}
          date={serviceDayOf(reservation.reservation_date, reservation.reservation_time)}
          onSaved={(text, before) => setDone({ text, undo: before && undo(before) })}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </>
  )
}

// During the service: the usual next statuses, and the way back.
const DURING: Record<ReservationStatus, ReservationStatus[]> = {
  pending: ['confirmed', 'seated', 'no_show', 'cancelled'],
  confirmed: ['seated', 'no_show', 'cancelled'],
  seated: ['completed', 'confirmed', 'no_show'],
  completed: ['seated', 'confirmed', 'no_show'],
  cancelled: ['confirmed', 'seated'],
  no_show: ['seated', 'confirmed'],
}
// After the service no party is seated any more.
const AFTERWARDS: Record<ReservationStatus, ReservationStatus[]> = {
  pending: ['completed', 'no_show', 'cancelled'],
  confirmed: ['completed', 'no_show', 'cancelled'],
  seated: ['completed', 'no_show', 'confirmed'],
  completed: ['no_show', 'confirmed', 'seated'],
  cancelled: ['completed', 'confirmed'],
  no_show: ['completed', 'confirmed'],
}

// Before the day of its service nobody has come or stayed away.
const ONLY_THEN: readonly ReservationStatus[] = ['seated', 'completed', 'no_show']

/** Whether the service of a reservation is over; `visited` is known only then. */
const isOver = ({ status, visited }: Pick<Reservation, 'status' | 'visited'>): boolean =>
  visited !== null && status !== 'completed'

/**
 * The statuses to offer, the most likely first.
 * @param pms the PMS' status where staff set another one; it is always offered
 * @param ahead whether its service day is still to come
 */
export function nextStates(
  reservation: Pick<Reservation, 'status' | 'visited'>,
  pms?: ReservationStatus,
  ahead = false,
): ReservationStatus[] {
  const { status } = reservation
  const usual = (isOver(reservation) ? AFTERWARDS : DURING)[status].filter(
    (next) => !ahead || !ONLY_THEN.includes(next),
  )
  return pms && pms !== status && !usual.includes(pms) ? [...usual, pms] : usual
}
