'use client'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useState } from 'react'
import { AlreadyHere } from '@/components/customers/already-here'
import { NumberField } from '@/components/forms/number-field'
import { EUR } from '@/components/forms/numbers'
import { useConflicts } from '@/components/forms/use-conflicts'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import type { TypedGuest } from '@/lib/customers/matches-schema'
import type { Reservation } from '@/lib/reservations/schema'
import { RESERVATION_STATUSES } from '@/lib/reservations/status'
import { CustomerField } from './customer-field'
import {
  BOOKING_FIELDS,
  bodyBefore,
  bookingBody,
  type ChosenCustomer,
  draftName,
  invalidFields,
} from './reservation-body'
import { useFieldLabel } from './use-field-label'
import { type Said, useQuestions } from './use-questions'
import { WhenFields } from './when-fields'

interface ReservationFormProps {
  /** Absent for a new reservation. */
  reservation?: Reservation
  locations: { value: string; label: string }[]
  locationId: string
  /** The day of its service. */
  date: string
  /** Whether the person may read customers; floor staff may not, nor set amounts. */
  findsCustomers: boolean
  /** The customer of a new reservation, when it is known. */
  customer?: ChosenCustomer
  /** Receives the confirmation and the body that undoes the change. */
  onSaved: (text: string, before?: object) => void
  onClose: () => void
}

/** A dialog with the fields of a manual reservation, new or existing. */
export default function ReservationForm({
  reservation,
  locations,
  locationId,
  date,
  findsCustomers,
  customer: known,
  onSaved,
  onClose,
}: ReservationFormProps) {
  const t = useTranslations('client.booking')
  const texts = useTranslations('client.form')
  const locale = useLocale()
  const router = useRouter()
  const { form, busy, submit, refuse, errorAt, failure } = useSubmit({
    fields: BOOKING_FIELDS,
    texts: {
      location_id: t('problems.location'),
      customer_name: t('problems.name'),
      customer_id: t('problems.customer'),
      customer_email: t('problems.email'),
      customer_phone: t('problems.phone'),
      reservation_date: t('problems.date'),
      'reservation_time:required': t('problems.time'),
      party_size: t('problems.party'),
      total_amount: t('problems.amount'),
    },
  })
  const [customer, setCustomer] = useState<ChosenCustomer | null>(() =>
    reservation?.customer_id
      ? { id: reservation.customer_id, name: reservation.customer_name ?? '' }
      : (known ?? null),
  )

  const draft = useDraft(draftName(reservation, known), {
    form,
    loaded: reservation,
    state: customer,
    onState: setCustomer,
  })
  const conflicts = useConflicts(draft, {
    label: useFieldLabel(),
    show: (field, value) => {
      if (field === 'location_id') return locations.find((one) => one.value === value)?.label
      if (field === 'customer_id') return value === customer?.id ? customer?.name : undefined
      return field === 'status' ? t(`statuses.${value as Reservation['status']}`) : undefined
    },
  })

  // A dialog that opens focuses its first button.
  useEffect(() => form.current?.querySelector<HTMLElement>('input, button')?.focus(), [form])

  const questions = useQuestions(save)

  async function save(said: Said = {}) {
    if (!form.current) return
    const body = bookingBody(new FormData(form.current), customer, locale)
    const invalid = invalidFields(body)
    if (invalid.length > 0) return refuse(...invalid)
    const path = reservation ? `/api/reservations/${reservation.id}` : '/api/reservations'
    const { loaded, ...changes } = conflicts.body(body)
    const sending = { ...changes, ...(loaded ? { loaded } : {}), ...said }
    const sent = await submit(reservation ? 'PATCH' : 'POST', path, sending)
    if (!sent.ok) {
      questions.take(sent, said)
      return conflicts.take(sent)
    }
    draft.saved()
    const { customer_name: name, reservation_time: time } = body
    const before = draft.loaded && bodyBefore(draft.loaded, changes)
    onSaved(t(reservation ? 'saved' : 'created', { name: name ?? '', time }), before)
    router.refresh()
    onClose()
  }

  const open = { value: '', label: t('chooseLocation') }
  return (
    <Dialog title={reservation ? t('edit') : t('new')} onClose={onClose}>
      {draft.node}
      <form
        ref={form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          save()
        }}
        noValidate
      >
        <FormFields>
          <CustomerField
            customer={customer}
            onChoose={setCustomer}
            initialName={reservation?.customer_name ?? ''}
            searches={findsCustomers}
            nameError={errorAt('customer_name') ?? errorAt('customer_id')}
          />
          {customer ? null : (
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
          {findsCustomers && !customer ? (
            <AlreadyHere form={form} read={typedGuest} onUse={setCustomer} />
          ) : null}
          <NativeSelect
            name="location_id"
            label={t('location')}
            data={locationId ? locations : [open, ...locations]}
            defaultValue={locationId}
            error={errorAt('location_id')}
          />
          <WhenFields
            date={date}
            time={reservation?.reservation_time ?? ''}
            dateError={errorAt('reservation_date')}
            timeError={errorAt('reservation_time')}
          />
          <FormRow>
            <NumberField
              name="party_size"
              label={t('party')}
              defaultValue={reservation?.party_size ?? 2}
              error={errorAt('party_size')}
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
          {reservation && findsCustomers ? (
            <NumberField
              {...EUR}
              name="total_amount"
              label={t('amount')}
              description={t('amountHint')}
              defaultValue={reservation.total_amount}
              error={errorAt('total_amount')}
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
        {conflicts.node}
        <Failure text={failure} />
        <FormActions>
          <Button variant="default" onClick={draft.cancel(onClose)}>
            {texts('cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {texts('save')}
          </Button>
        </FormActions>
      </form>
      {questions.node}
    </Dialog>
  )
}

/** The guest's details from the form, for the search for existing guests. */
function typedGuest(fields: FormData): TypedGuest {
  const typed = (name: string) => String(fields.get(name) ?? '').trim() || null
  return {
    first_name: typed('customer_name'),
    email: typed('customer_email'),
    phone: typed('customer_phone'),
  }
}
