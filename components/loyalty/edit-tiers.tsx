'use client'
import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { LoyaltyConfig } from '@/lib/loyalty/schema'

const TiersForm = dynamic(() => import('./tiers-form'))

/** Opens the form of the tiers. */
export function EditTiers({ tiers }: LoyaltyConfig) {
  const t = useTranslations('client.loyalty.tiers')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPencil size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('edit')}
      </Button>
      {open ? <TiersForm tiers={tiers} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
