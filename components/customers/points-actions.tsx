'use client'
import { Button } from '@mantine/core'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'

const PointsForm = dynamic(() => import('./points-form'))

interface PointsActionsProps {
  customerId: string
  name: string
  balance: number
}

/** Opens the form that redeems or adjusts a customer's points. */
export function PointsActions(props: PointsActionsProps) {
  const t = useTranslations('client.customerForm.points')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {t('open')}
      </Button>
      {open ? <PointsForm {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
