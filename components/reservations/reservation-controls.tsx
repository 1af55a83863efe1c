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

// Without `ssr: false` the whole page would wait for it behind its skeleton.
const ReservationForm = dynamic(() => import('./reservation-form'), { ssr: false })

// What usually follows a state; the form sets any other.
const NEXT: Record<ReservationStatus, ReservationStatus[]> = {
  pending: ['confirmed', 'cancelled'],
  confirmed: ['seated', 'no_show', 'cancelled'],
  seated: ['completed', 'confirmed'],
  completed: ['seated'],
  cancelled: ['confirmed'],
  no_show: ['seated', 'confirmed'],
}

interface ReservationControlsProps {
  reservation: Reservation
  locations: { value: string; label: string }[]
  findsCustomers: boolean
}

/** What can be done with a reservation made by hand: the next state, and every field. */
export function ReservationControls({ reservation, locations, findsCustomers }: ReservationControlsProps) {
  const t = useTranslations('client.booking')
  const form = useTranslations('client.form')
  const router = useRouter()
  const [busy, setBusy] = useState<ReservationStatus | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [editing, setEditing] = useState(false)
  // Said here and not in a corner: the drawer lies over everything else.
  const [done, setDone] = useState('')

  async function become(status: ReservationStatus) {
    setBusy(status)
    setFailure(null)
    setDone('')
    const sent = await send('PATCH', `/api/reservations/${reservation.id}`, { status })
    setBusy(null)
    if (!sent.ok) return setFailure(form(formProblem(sent.status)))
    setDone(t(`became.${status}`))
    router.refresh()
  }

  return (
    <>
      <div className={classes.actions}>
        {NEXT[reservation.status].map((status, index) => (
          <Button
            key={status}
            variant={index === 0 ? 'filled' : 'default'}
            loading={busy === status}
            disabled={busy !== null && busy !== status}
            onClick={() => become(status)}
          >
            {t(`become.${status}`)}
          </Button>
        ))}
        <Button
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
          onClick={() => setEditing(true)}
        >
          {form('edit')}
        </Button>
      </div>
      <p role="status" className={classes.done}>
        {done}
      </p>
      <Failure text={failure} />
      {editing ? (
        <ReservationForm
          reservation={reservation}
          locations={locations}
          findsCustomers={findsCustomers}
          locationId={reservation.location_id}
          date={reservation.reservation_date}
          onSaved={setDone}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </>
  )
}
