'use client'
import { Button, Textarea, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useEffect } from 'react'
import { NumberField } from '@/components/forms/number-field'
import { EUR } from '@/components/forms/numbers'
import { useConflicts } from '@/components/forms/use-conflicts'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields } from '@/components/ui/form-layout'
import { shownName } from '@/lib/customers/person-name'
import type { Reservation } from '@/lib/reservations/schema'
import classes from './drawer.module.css'
import { bodyBefore, isAmount, markBody } from './reservation-body'
import { useFieldLabel } from './use-field-label'
import { type Said, useQuestions } from './use-questions'

interface MarkFormProps {
  reservation: Reservation
  /** Whether the person may read customers; floor staff may not, nor set amounts. */
  findsCustomers: boolean
  /** Receives the confirmation and the body that undoes the change. */
  onSaved: (text: string, before: object) => void
  onClose: () => void
}

/** A dialog with the fields that staff may change of a PMS reservation: amount, table and notes. */
export default function MarkForm({ reservation, findsCustomers, onSaved, onClose }: MarkFormProps) {
  const t = useTranslations('client.booking')
  const texts = useTranslations('client.form')
  const locale = useLocale()
  const router = useRouter()
  const { form, busy, submit, refuse, errorAt, failure } = useSubmit({
    fields: ['total_amount'],
    texts: { total_amount: t('problems.amount') },
  })

  const draft = useDraft(`reservation:${reservation.id}`, { form, loaded: reservation })
  const loaded = draft.loaded ?? reservation
  const conflicts = useConflicts(draft, { label: useFieldLabel() })

  useEffect(() => form.current?.querySelector('input')?.focus(), [form])

  const questions = useQuestions(save)

  async function save(said: Said = {}) {
    if (!form.current) return
    const body = markBody(new FormData(form.current), locale)
    if (!isAmount(body)) return refuse('total_amount')
    const { loaded: was, ...changes } = conflicts.body(body)
    if (Object.keys(changes).length === 0) return draft.cancel(onClose)()
    const path = `/api/reservations/${reservation.id}`
    const sent = await submit('PATCH', path, { ...changes, loaded: was, ...said })
    if (!sent.ok) {
      questions.take(sent, said)
      return conflicts.take(sent)
    }
    draft.saved()
    onSaved(t('marked'), bodyBefore(loaded, changes))
    router.refresh()
    onClose()
  }

  return (
    <Dialog title={t('mark')} onClose={onClose}>
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
          <p className={classes.others}>
            {[
              shownName(reservation.customer_name ?? t('noName')),
              reservation.reservation_time,
              t('guests', { count: reservation.party_size }),
            ].join(' · ')}
            <br />
            {t('others')}
          </p>
          {findsCustomers ? (
            <NumberField
              {...EUR}
              name="total_amount"
              label={t('amount')}
              description={t('amountHint')}
              defaultValue={reservation.total_amount}
              error={errorAt('total_amount')}
            />
          ) : null}
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
