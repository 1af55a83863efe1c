'use client'
import { Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { useToast } from '@/components/ui/toast'
import type { Ticket } from '@/lib/tickets/schema'
import type { TicketChoices } from './ticket-choices'

const TicketForm = dynamic(() => import('./ticket-form'))
const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog))

interface TicketActionsProps {
  ticket: Ticket
  customer: { id: string; name: string } | null
  choices: TicketChoices
  mayDelete: boolean
}

/** What can be done with a ticket beside changing its state: edit its text, delete it. */
export function TicketActions({ ticket, customer, choices, mayDelete }: TicketActionsProps) {
  const t = useTranslations('client.tickets')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [open, setOpen] = useState<'form' | 'remove' | null>(null)
  const close = () => setOpen(null)
  const { id, number } = ticket

  async function remove(): Promise<string | null> {
    const sent = await send('DELETE', `/api/tickets/${id}`)
    if (!sent.ok) return form(formProblem(sent.status))
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
