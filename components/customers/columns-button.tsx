'use client'
import { Button } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import type { Column } from './columns'

const ColumnsForm = dynamic(() => import('./columns-form'), { ssr: false })

/** Opens the choice of the list's columns. */
export function ColumnsButton({ columns }: { columns: readonly Column[] }) {
  const t = useTranslations('client.customers.columns')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconColumns3 size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('open')}
      </Button>
      {/* On a phone the button stands in a menu, and one that is closed shows nothing within it. */}
      {open
        ? createPortal(<ColumnsForm columns={columns} onClose={() => setOpen(false)} />, document.body)
        : null}
    </>
  )
}
