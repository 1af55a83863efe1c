'use client'
import { Button } from '@mantine/core'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useChange } from '@/components/forms/use-change'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { Closing } from '@/lib/closings/schema'
import { useClosingText } from './closing-text'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog), {
  ssr: false,
})

/** The button that opens again what a closing closed. Asks first. */
export function Reopen({ closing, locationId }: { closing: Closing; locationId: string }) {
  const t = useTranslations('client.closings')
  const change = useChange()
  const text = useClosingText()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setAsking(true)}>
        {t('reopen')}
        <VisuallyHidden> ({text(closing)})</VisuallyHidden>
      </Button>
      {asking ? (
        <ConfirmDialog
          title={t('reopenTitle')}
          text={t('reopenText', { closed: text(closing) })}
          action={t('reopen')}
          danger={false}
          onConfirm={() =>
            change({
              method: 'DELETE',
              path: `/api/locations/${locationId}/closings/${closing.id}`,
              done: t('reopened'),
              texts: { NOT_FOUND: t('gone') },
            })
          }
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
