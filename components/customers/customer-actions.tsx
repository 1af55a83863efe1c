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
import type { Belongings } from '@/lib/customers/belongings'
import type { Customer } from '@/lib/customers/schema'
import type { Choice } from './customer-body'

const CustomerForm = dynamic(() => import('./customer-form'))
const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog))

interface CustomerActionsProps {
  customer: Customer
  name: string
  belongings: Belongings
  locations: readonly Choice[]
}

/** What can be done with a customer: change them, erase them. */
export function CustomerActions({ customer, name, belongings, locations }: CustomerActionsProps) {
  const t = useTranslations('client.customerForm')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [open, setOpen] = useState<'form' | 'erase' | null>(null)
  const close = () => setOpen(null)

  async function erase(): Promise<string | null> {
    const sent = await send('DELETE', `/api/customers/${customer.id}`)
    if (!sent.ok) return sent.status === 0 ? t('erase.failed') : form(formProblem(sent.status))
    say(t('erase.done', { name }))
    router.push('/customers')
    return null
  }

  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => setOpen('erase')}
      >
        {t('erase.open')}
      </Button>
      <Button leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setOpen('form')}>
        {form('edit')}
      </Button>
      {open === 'form' ? (
        <CustomerForm
          customer={customer}
          locations={locations}
          onSaved={() => router.refresh()}
          onClose={close}
        />
      ) : null}
      {open === 'erase' ? (
        <ConfirmDialog
          title={t('erase.title', { name })}
          text={t('erase.text', {
            reservations: belongings.reservations,
            messages: belongings.messages,
          })}
          action={t('erase.action')}
          onConfirm={erase}
          onClose={close}
        />
      ) : null}
    </>
  )
}
