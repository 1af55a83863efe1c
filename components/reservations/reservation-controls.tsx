'use client'
import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { Failure } from '@/components/ui/failure'
import type { ReservationStatus } from '@/lib/pms/status'
import type { Reservation } from '@/lib/reservations/schema'
import classes from './drawer.module.css'
import { isOver, nextStates } from './next-states'
import { type Done, UndoNotice } from './undo-notice'

// Without `ssr: false` the whole page would wait for it behind its skeleton.
const ReservationForm = dynamic(() => import('./reservation-form'), { ssr: false })
const MarkForm = dynamic(() => import('./mark-form'), { ssr: false })

interface ReservationControlsProps {
  reservation: Reservation
  /** What the PMS says of the status, where staff marked another. */
  pmsStatus?: ReservationStatus
  locations: { value: string; label: string }[]
  findsCustomers: boolean
}

/** What can be done with a reservation: another state, its fields (the PMS keeps most of its own), and back again. */
export function ReservationControls(props: ReservationControlsProps) {
  const { reservation, pmsStatus, locations, findsCustomers } = props
  const t = useTranslations('client.booking')
  const form = useTranslations('client.form')
  const router = useRouter()
  const [busy, setBusy] = useState<ReservationStatus | 'undo' | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [editing, setEditing] = useState(false)
  const [done, setDone] = useState<Done | null>(null)

  async function change(body: object, now: typeof busy, result: Done) {
    setBusy(now)
    setFailure(null)
    const sent = await send('PATCH', `/api/reservations/${reservation.id}`, body)
    setBusy(null)
    if (!sent.ok) return setFailure(form(formProblem(sent.status)))
    setDone(result)
    router.refresh()
  }
  const takeBack = (before: object) => () => void change(before, 'undo', { text: t('undone') })

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
        {nextStates(reservation, pmsStatus).map((status, index) => (
          <Button
            key={status}
            variant={index === 0 ? 'filled' : 'default'}
            loading={busy === status}
            disabled={busy !== null && busy !== status}
            onClick={(event) =>
              change({ status }, status, {
                text: t(`became.${status}`),
                undo: takeBack({ status: reservation.status }),
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
      {editing ? (
        <FieldsForm
          reservation={reservation}
          locations={locations}
          findsCustomers={findsCustomers}
          locationId={reservation.location_id}
          date={reservation.reservation_date}
          onSaved={(text, before) => setDone({ text, undo: before && takeBack(before) })}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </>
  )
}
