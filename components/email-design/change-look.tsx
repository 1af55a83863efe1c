'use client'
import { Button } from '@mantine/core'
import { IconPalette } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import type { BrandLook } from '@/lib/email-design/records'

/** The form of a look, loaded when it is opened. */
export const LookForm = dynamic(() => import('./look-form').then((m) => m.LookForm), { ssr: false })

interface ChangeLookProps {
  /** The brand; null for the group. */
  brandId: string | null
  /** The brand's name, or the group's. */
  name: string
  look: BrandLook | null
  /** Whether the person may change the addresses. */
  mayAddress: boolean
  text: string
  /** The button's name where several have the same text. */
  label?: string
}

/** The button that opens the look of a brand's e-mails, or of the group's. */
export function ChangeLook({ text, label, ...form }: ChangeLookProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPalette size={14} aria-hidden />}
        aria-label={label}
        onClick={() => setOpen(true)}
      >
        {text}
      </Button>
      {open ? <LookForm {...form} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
