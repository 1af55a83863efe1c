'use client'
import { Button, Textarea, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { showNumber } from '@/components/loyalty/numbers'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields } from '@/components/ui/form-layout'
import type { Reservation } from '@/lib/reservations/schema'
import classes from './drawer.module.css'
import {
  type BookingProblems,
  bodyBefore,
  changedFields,
  markBody,
  markProblems,
  refusedField,
} from './reservation-body'

interface MarkFormProps {
  reservation: Reservation
  /** Takes what was done, in words, and the body that takes it back. */
  onSaved: (text: string, before: object) => void
  onClose: () => void
}

/** What staff may change of a reservation of the PMS: amount, table and notes. */
export default function MarkForm({ reservation, onSaved, onClose }: MarkFormProps) {
  const t = useTranslations('client.booking')
  const texts = useTranslations('client.form')
  const locale = useLocale()
  const router = useRouter()
  const amount = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<BookingProblems>({})
  const [failure, setFailure] = useState<string | null>(null)

  // On opening, and whenever it is what has to be put right.
  useEffect(() => {
    if (Object.keys(problems).length === 0 || problems.total_amount) amount.current?.focus()
  }, [problems])

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const body = markBody(new FormData(event.currentTarget))
    const found = markProblems(body)
    setFailure(null)
    if (Object.keys(found).length > 0) return setProblems(found)
    const changes = changedFields(reservation, body)
    if (Object.keys(changes).length === 0) return onClose()
    setBusy(true)
    const sent = await send('PATCH', `/api/reservations/${reservation.id}`, changes)
    setBusy(false)
    if (!sent.ok) {
      const refused = refusedField(sent.error)
      if (refused.total_amount) return setProblems(refused)
      return setFailure(texts(formProblem(sent.status)))
    }
    onSaved(t('marked'), bodyBefore(reservation, changes))
    router.refresh()
    onClose()
  }

  return (
    <Dialog title={t('mark')} onClose={onClose}>
      <form onSubmit={save} noValidate>
        <FormFields>
          <p className={classes.others}>
            {[
              reservation.customer_name ?? t('noName'),
              reservation.reservation_time,
              t('guests', { count: reservation.party_size }),
            ].join(' · ')}
            <br />
            {t('others')}
          </p>
          <TextInput
            ref={amount}
            name="total_amount"
            inputMode="decimal"
            label={t('amount')}
            description={t('amountHint')}
            defaultValue={
              reservation.total_amount === null ? '' : showNumber(reservation.total_amount, locale)
            }
            error={problems.total_amount ? t(`problems.${problems.total_amount}`) : undefined}
            autoComplete="off"
            maxLength={14}
          />
          <TextInput
            name="table_name"
            label={t('table')}
            defaultValue={reservation.table_name ?? ''}
            maxLength={100}
          />
          <Textarea
            name="notes"
            label={t('notes')}
            description={t('notesHint')}
            defaultValue={reservation.notes ?? ''}
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
