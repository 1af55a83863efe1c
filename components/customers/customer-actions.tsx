'use client'
import { Button } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { useReopened } from '@/components/forms/draft-owner'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { MoreMenu } from '@/components/ui/more-menu'
import { useTabRouter } from '@/components/ui/tab-address'
import { useToast } from '@/components/ui/toast'
import { useAskedToOpen } from '@/components/ui/use-asked-to-open'
import type { Belongings } from '@/lib/customers/read-customer'
import type { Customer } from '@/lib/customers/schema'
import type { Choice } from './customer-form'

const CustomerForm = dynamic(() => import('./customer-form'), { ssr: false })
const PointsForm = dynamic(() => import('./points-form'), { ssr: false })
const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog), {
  ssr: false,
})

interface CustomerActionsProps {
  customer: Customer
  name: string
  belongings: Belongings
  locations: readonly Choice[]
  /** Further menu items, above the one that erases the customer. */
  children?: ReactNode
}

/** A customer's actions: the edit button, and a menu with rare or final actions. */
export function CustomerActions({ customer, name, belongings, locations, children }: CustomerActionsProps) {
  const t = useTranslations('client.customerForm')
  const form = useTranslations('client.form')
  const errors = useErrorText()
  const say = useToast()
  const router = useTabRouter()
  const [open, setOpen] = useState<'form' | 'erase' | null>(null)
  // What was saved over `shown`, until the page is read again: a form opened meanwhile must not have the former values.
  const [saved, setSaved] = useState<{ shown: Customer; now: Customer } | null>(null)
  const close = () => setOpen(null)
  useReopened(`customer:${customer.id}`, () => setOpen('form'))

  async function erase(): Promise<string | null> {
    const sent = await send('DELETE', `/api/customers/${customer.id}`)
    if (!sent.ok)
      return sent.status === 0
        ? t('erase.failed')
        : errors.ofRefusal(sent, { FOREIGN_LOCATION: t('erase.foreign') })
    say(t('erase.done', { name }))
    router.push('/customers')
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
      <MoreMenu label={t('more')}>
        {children}
        <button type="button" data-danger onClick={() => setOpen('erase')}>
          <IconTrash size={16} aria-hidden />
          {t('erase.open')}
        </button>
      </MoreMenu>
      {open === 'form' ? (
        <CustomerForm
          customer={saved?.shown === customer ? saved.now : customer}
          locations={locations}
          onSaved={(now) => {
            setSaved({ shown: customer, now })
            router.refresh()
          }}
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

/** The button that opens the form for a new customer, and goes to the customer's page afterwards. */
export function NewCustomer({ locations }: { locations: readonly Choice[] }) {
  const t = useTranslations('client.customerForm')
  const router = useTabRouter()
  const [open, setOpen] = useState(false)
  useReopened('customer:new', () => setOpen(true))
  useAskedToOpen(() => setOpen(true))
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('new')}
      </Button>
      {open ? (
        <CustomerForm
          locations={locations}
          onSaved={({ id }) => router.push(`/customers/${id}`)}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}

interface PointsActionsProps {
  customerId: string
  name: string
  balance: number
}

/** Opens the form that redeems or adjusts a customer's points. */
export function PointsActions(props: PointsActionsProps) {
  const t = useTranslations('client.customerForm.points')
  const [open, setOpen] = useState(false)
  useReopened(`points:${props.customerId}:new`, () => setOpen(true))
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {t('open')}
      </Button>
      {open ? <PointsForm {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
