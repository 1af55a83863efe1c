'use client'
import { Button } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useReopened } from '@/components/forms/draft-owner'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { useTabRouter } from '@/components/ui/tab-address'
import { useToast } from '@/components/ui/toast'
import { useAskedToOpen } from '@/components/ui/use-asked-to-open'
import type { Ticket } from '@/lib/tickets/schema'
import type { TicketChoices } from './load-tickets'

const TicketForm = dynamic(() => import('./ticket-form'), { ssr: false })

/** The button that opens the form of a new ticket. */
export function NewTicket({ choices }: { choices: TicketChoices }) {
  const t = useTranslations('client.tickets')
  const [open, setOpen] = useState(false)
  useReopened('ticket:new', () => setOpen(true))
  useAskedToOpen(() => setOpen(true))
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('new')}
      </Button>
      {open ? <TicketForm choices={choices} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog), {
  ssr: false,
})

interface TicketActionsProps {
  ticket: Ticket
  customer: { id: string; name: string } | null
  choices: TicketChoices
  mayDelete: boolean
}

/** The buttons that edit a ticket's text and delete it. */
export function TicketActions({ ticket, customer, choices, mayDelete }: TicketActionsProps) {
  const t = useTranslations('client.tickets')
  const form = useTranslations('client.form')
  const words = useErrorText()
  const say = useToast()
  const router = useTabRouter()
  const [open, setOpen] = useState<'form' | 'remove' | null>(null)
  const close = () => setOpen(null)
  const { id, number } = ticket
  useReopened(`ticket:${id}`, () => setOpen('form'))

  async function remove(): Promise<string | null> {
    const sent = await send('DELETE', `/api/tickets/${id}`)
    if (!sent.ok) return words.ofRefusal(sent)
    say(t('removed', { number }))
    router.push('/tickets')
    return null
  }

  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPencil size={16} aria-hidden />}
        onClick={() => setOpen('form')}
      >
        {form('edit')}
      </Button>
      {mayDelete ? (
        <Button
          variant="default"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => setOpen('remove')}
        >
          {t('remove')}
        </Button>
      ) : null}
      {open === 'form' ? (
        <TicketForm ticket={ticket} customer={customer} choices={choices} onClose={close} />
      ) : null}
      {open === 'remove' ? (
        <ConfirmDialog
          title={t('removeTitle', { number })}
          text={t('removeText')}
          action={t('removeAction')}
          onConfirm={remove}
          onClose={close}
        />
      ) : null}
    </>
  )
}
