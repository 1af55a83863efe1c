'use client'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { CustomerPicker } from '@/components/customers/customer-picker'
import { useConflicts } from '@/components/forms/use-conflicts'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import type { Ticket } from '@/lib/tickets/schema'
import type { TicketChoices } from './load-tickets'

interface TicketFormProps {
  /**
   * Absent for a new ticket. An existing ticket's status, priority, location and assignee are changed on its page.
   */
  ticket?: Ticket
  /** The customer of the ticket. */
  customer?: { id: string; name: string } | null
  choices: TicketChoices
  onClose: () => void
}

/** A dialog with the fields of a ticket. */
export default function TicketForm({ ticket, customer = null, choices, onClose }: TicketFormProps) {
  const t = useTranslations('client.tickets')
  const form = useTranslations('client.form')
  const picker = useTranslations('client.customerPicker')
  const say = useToast()
  const router = useRouter()
  const submission = useSubmit({
    fields: ['subject', 'description', 'location_id', 'assignee_id', 'customer_id'],
    texts: {
      'subject:required': t('problems.subject'),
      assignee_id: t('problems.assignee_id'),
      customer_id: t('problems.customer_id'),
    },
  })
  const { busy, errorAt } = submission
  const [picked, setPicked] = useState(customer)
  const draft = useDraft(`ticket:${ticket?.id ?? 'new'}`, {
    form: submission.form,
    loaded: ticket,
    state: picked,
    onState: setPicked,
  })
  const conflicts = useConflicts(draft, {
    label: (name) => (name === 'customer_id' ? picker('label') : t(`fields.${name as 'subject'}`)),
    show: (name, value) => (name === 'customer_id' && value === picked?.id ? picked?.name : undefined),
  })

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const body = ticketBody(new FormData(event.currentTarget))
    if (body.subject === '') return submission.refuse('subject')
    const path = ticket ? `/api/tickets/${ticket.id}` : '/api/tickets'
    const sent = await submission.submit<Ticket>(ticket ? 'PATCH' : 'POST', path, conflicts.body(body))
    if (!sent.ok) return conflicts.take(sent)
    draft.saved()
    say(t(ticket ? 'saved' : 'created', { number: sent.data.number }))
    router.refresh()
    onClose()
  }

  return (
    <Dialog title={ticket ? t('edit', { number: ticket.number }) : t('new')} onClose={onClose}>
      {draft.node}
      <form ref={submission.form} onSubmit={save} noValidate>
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
          {choices.mayPickCustomer ? (
            <CustomerPicker name="customer_id" chosen={picked} onPick={setPicked} />
          ) : null}
        </FormFields>
        {conflicts.node}
        <Failure text={errorAt('customer_id') ?? submission.failure} />
        <FormActions>
          <Button variant="default" onClick={draft.cancel(onClose)}>
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

/** The body for the API; fields that the form does not show are left out. */
function ticketBody(fields: FormData) {
  const optional = (name: string) =>
    fields.has(name) ? { [name]: String(fields.get(name)).trim() || null } : {}
  return {
    subject: String(fields.get('subject') ?? '').trim(),
    ...optional('description'),
    ...(fields.has('priority') ? { priority: String(fields.get('priority')) } : {}),
    ...optional('location_id'),
    ...optional('assignee_id'),
    ...optional('customer_id'),
  }
}
