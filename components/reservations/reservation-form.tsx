'use client'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { showNumber } from '@/components/loyalty/numbers'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { RESERVATION_STATUSES } from '@/lib/pms/status'
import type { Reservation } from '@/lib/reservations/schema'
import { GuestField } from './guest-field'
import {
  type BookingField,
  type BookingProblems,
  bodyBefore,
  bookingBody,
  bookingProblems,
  type ChosenGuest,
  refusedField,
} from './reservation-body'

interface ReservationFormProps {
  /** Absent: a new one. */
  reservation?: Reservation
  locations: { value: string; label: string }[]
  locationId: string
  date: string
  findsCustomers: boolean
  /** Takes what was done, in words, and the body that takes it back. */
  onSaved: (text: string, before?: object) => void
  onClose: () => void
}

/** A reservation's fields in a dialog: one made by hand, new or to be changed. */
export default function ReservationForm({
  reservation,
  locations,
  locationId,
  date,
  findsCustomers,
  onSaved,
  onClose,
}: ReservationFormProps) {
  const t = useTranslations('client.booking')
  const texts = useTranslations('client.form')
  const locale = useLocale()
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<BookingProblems>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [guest, setGuest] = useState<ChosenGuest | null>(() =>
    reservation?.customer_id ? { id: reservation.customer_id, name: reservation.customer_name ?? '' } : null,
  )

  // A dialog that opens gives the focus to its first button.
  useEffect(() => form.current?.querySelector<HTMLElement>('input, button')?.focus(), [])

  // The first field that is wrong is where one goes on.
  useEffect(() => {
    if (Object.keys(problems).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problems])

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const body = bookingBody(new FormData(event.currentTarget), guest)
    const found = bookingProblems(body)
    setProblems(found)
    setFailure(null)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    const path = reservation ? `/api/reservations/${reservation.id}` : '/api/reservations'
    const sent = await send(reservation ? 'PATCH' : 'POST', path, body)
    setBusy(false)
    if (!sent.ok) {
      const refused = refusedField(sent.error)
      setProblems(refused)
      return setFailure(Object.keys(refused).length > 0 ? null : texts(formProblem(sent.status)))
    }
    const { customer_name: name, reservation_time: time } = body
    const before = reservation && bodyBefore(reservation, body)
    onSaved(t(reservation ? 'saved' : 'created', { name: name ?? '', time }), before)
    router.refresh()
    onClose()
  }

  const errorAt = (field: BookingField) => {
    const problem = problems[field]
    return problem ? t(`problems.${problem}`) : undefined
  }
  const open = { value: '', label: t('chooseLocation') }
  return (
    <Dialog title={reservation ? t('edit') : t('new')} onClose={onClose}>
      <form ref={form} onSubmit={save} noValidate>
        <FormFields>
          <GuestField
            guest={guest}
            onChoose={setGuest}
            initialName={reservation?.customer_name ?? ''}
            searches={findsCustomers}
            nameError={errorAt('customer_name')}
          />
          {guest ? null : (
            <FormRow>
              <TextInput
                name="customer_phone"
                type="tel"
                label={t('phone')}
                error={errorAt('customer_phone')}
                autoComplete="off"
                maxLength={40}
              />
              <TextInput
                name="customer_email"
                type="email"
                label={t('email')}
                error={errorAt('customer_email')}
                autoComplete="off"
                maxLength={200}
              />
            </FormRow>
          )}
          <NativeSelect
            name="location_id"
            label={t('location')}
            data={locationId ? locations : [open, ...locations]}
            defaultValue={locationId}
            error={errorAt('location_id')}
          />
          <FormRow>
            <TextInput
              name="reservation_date"
              type="date"
              label={t('date')}
              defaultValue={date}
              error={errorAt('reservation_date')}
            />
            <TextInput
              name="reservation_time"
              type="time"
              label={t('time')}
              defaultValue={reservation?.reservation_time ?? ''}
              error={errorAt('reservation_time')}
            />
          </FormRow>
          <FormRow>
            <TextInput
              name="party_size"
              inputMode="numeric"
              label={t('party')}
              defaultValue={reservation?.party_size ?? '2'}
              error={errorAt('party_size')}
              maxLength={4}
              autoComplete="off"
            />
            <NativeSelect
              name="status"
              label={t('status')}
              data={RESERVATION_STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
              defaultValue={reservation?.status ?? 'confirmed'}
            />
          </FormRow>
          <FormRow>
            <TextInput
              name="zone_name"
              label={t('zone')}
              defaultValue={reservation?.zone_name ?? ''}
              maxLength={100}
            />
            <TextInput
              name="table_name"
              label={t('table')}
              defaultValue={reservation?.table_name ?? ''}
              maxLength={100}
            />
          </FormRow>
          {reservation ? (
            <TextInput
              name="total_amount"
              inputMode="decimal"
              label={t('amount')}
              description={t('amountHint')}
              defaultValue={
                reservation.total_amount === null ? '' : showNumber(reservation.total_amount, locale)
              }
              error={errorAt('total_amount')}
              autoComplete="off"
              maxLength={14}
            />
          ) : null}
          <Textarea
            name="notes"
            label={t('notes')}
            description={t('notesHint')}
            defaultValue={reservation?.notes ?? ''}
            rows={3}
            maxLength={5000}
          />
        </FormFields>
        <Failure text={failure} />
        <FormActions>
          <Button variant="default" onClick={onClose}>
            {texts('cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {texts('save')}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
