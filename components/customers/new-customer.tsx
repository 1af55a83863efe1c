'use client'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Choice } from './customer-body'

const CustomerForm = dynamic(() => import('./customer-form'))

/** The button that opens the form for a new customer, and leads to them afterwards. */
export function NewCustomer({ locations }: { locations: readonly Choice[] }) {
  const t = useTranslations('client.customerForm')
  const router = useRouter()
  const [open, setOpen] = useState(false)
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
