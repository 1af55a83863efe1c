'use client'
import { IconBarrierBlock } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { useReopened } from '@/components/forms/draft-owner'
import type { CloseFormProps } from './close-form'

const CloseForm = dynamic(() => import('./close-form').then((m) => m.CloseForm), { ssr: false })

/** The menu item that opens the form of a closing. */
export function CloseAction(props: Omit<CloseFormProps, 'onClose'>) {
  const t = useTranslations('client.closings')
  const [open, setOpen] = useState(false)
  useReopened('closing:new', () => setOpen(true))
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        <IconBarrierBlock size={16} aria-hidden />
        {t('close')}
      </button>
      {/* A menu that is closed shows nothing within it. */}
      {open ? createPortal(<CloseForm {...props} onClose={() => setOpen(false)} />, document.body) : null}
    </>
  )
}
