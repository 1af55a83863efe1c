'use client'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useReopened } from '@/components/forms/draft-owner'
import { useToast } from '@/components/ui/toast'
import { useAskedToOpen } from '@/components/ui/use-asked-to-open'
import { type ChosenCustomer, draftName } from './reservation-body'

// Without `ssr: false` the whole page would suspend until the form is loaded.
const ReservationForm = dynamic(() => import('./reservation-form'), { ssr: false })

interface NewReservationProps {
  locations: { value: string; label: string }[]
  /** The initial location; '' for none. */
  locationId: string
  date: string
  findsCustomers: boolean
  /** The customer of the reservation, when it is known. */
  customer?: ChosenCustomer
}

/** The button that opens the form of a new reservation. */
export function NewReservation(props: NewReservationProps) {
  const t = useTranslations('client.booking')
  const say = useToast()
  const [open, setOpen] = useState(false)
  useReopened(draftName(undefined, props.customer), () => setOpen(true))
  useAskedToOpen(() => setOpen(true))
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('new')}
      </Button>
      {open ? <ReservationForm {...props} onSaved={say} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
