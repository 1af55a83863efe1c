'use client'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useToast } from '@/components/ui/toast'

// Without `ssr: false` the whole page would wait for it behind its skeleton.
const ReservationForm = dynamic(() => import('./reservation-form'), { ssr: false })

interface NewReservationProps {
  locations: { value: string; label: string }[]
  /** Chosen at first; '' leaves it open. */
  locationId: string
  date: string
  findsCustomers: boolean
}

/** The button that opens the form for a reservation made by hand. */
export function NewReservation(props: NewReservationProps) {
  const t = useTranslations('client.booking')
  const say = useToast()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('new')}
      </Button>
      {open ? <ReservationForm {...props} onSaved={say} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
