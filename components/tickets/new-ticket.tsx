'use client'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { TicketChoices } from './ticket-choices'

const TicketForm = dynamic(() => import('./ticket-form'))

/** The button that opens an empty ticket. */
export function NewTicket({ choices }: { choices: TicketChoices }) {
  const t = useTranslations('client.tickets')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('new')}
      </Button>
      {open ? <TicketForm choices={choices} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
