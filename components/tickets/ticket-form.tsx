'use client'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { CustomerPicker } from '@/components/customers/customer-picker'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import type { Ticket } from '@/lib/tickets/schema'
import { ticketBody, ticketProblem } from './ticket-body'
import type { TicketChoices } from './ticket-choices'

interface TicketFormProps {
  /** Absent: a new one. Its status, priority, place and assignee change where they are shown. */
  ticket?: Ticket
  /** The customer it is about. */
  customer?: { id: string; name: string } | null
  choices: TicketChoices
  onClose: () => void
}

/** A ticket's fields in a dialog. */
export default function TicketForm({ ticket, customer = null, choices, onClose }: TicketFormProps) {
  const t = useTranslations('client.tickets')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<{ status: number; error: string } | null>(null)

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const body = ticketBody(new FormData(event.currentTarget))
    if (body.subject === '') return setAnswer({ status: 400, error: 'subject: missing' })
    setBusy(true)
    const path = ticket ? `/api/tickets/${ticket.id}` : '/api/tickets'
    const sent = await send<Ticket>(ticket ? 'PATCH' : 'POST', path, body)
    setBusy(false)
    if (!sent.ok) return setAnswer(sent)
    say(t(ticket ? 'saved' : 'created', { number: sent.data.number }))
    router.refresh()
    onClose()
  }

  const problem = answer && ticketProblem(answer)
  const errorAt = (field: string) => (problem === field ? t(`problems.${problem}`) : undefined)
  return (
    <Dialog title={ticket ? t('edit', { number: ticket.number }) : t('new')} onClose={onClose}>
      <form onSubmit={save} noValidate>
        <FormFields>
          <TextInput
            name="subject"
            label={t('fields.subject')}
            defaultValue={ticket?.subject}
            error={errorAt('subject')}
            maxLength={200}
            autoComplete="off"
            autoFocus
          />
          <Textarea
            name="description"
            label={t('fields.description')}
            defaultValue={ticket?.description ?? ''}
            error={errorAt('description')}
            maxLength={10_000}
            rows={4}
          />
          {ticket ? null : (
            <>
              <NativeSelect
                name="priority"
                label={t('fields.priority')}
                data={choices.priorities}
                defaultValue="medium"
              />
              <FormRow>
                <NativeSelect
                  name="location_id"
                  label={t('fields.location')}
                  data={[{ value: '', label: t('wholeGroup') }, ...choices.locations]}
                  error={errorAt('location_id')}
                />
                <NativeSelect
                  name="assignee_id"
                  label={t('fields.assignee')}
                  data={[{ value: '', label: t('nobody') }, ...choices.colleagues]}
                  error={errorAt('assignee_id')}
                />
              </FormRow>
            </>
          )}
          {choices.mayPickCustomer ? <CustomerPicker name="customer_id" initial={customer} /> : null}
        </FormFields>
        <Failure
          text={
            problem === 'customer_id'
              ? t('problems.customer_id')
              : answer && !problem
                ? form(formProblem(answer.status))
                : null
          }
        />
        <FormActions>
          <Button variant="default" onClick={onClose}>
            {form('cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {ticket ? form('save') : t('create')}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
