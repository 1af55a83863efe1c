'use client'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog), {
  ssr: false,
})

/** Asks before the person leaves a page with unsaved input. */
export function LeaveQuestion({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  const t = useTranslations('client.form.leave')
  return (
    <ConfirmDialog
      title={t('title')}
      text={t('text')}
      action={t('confirm')}
      onConfirm={async () => {
        onLeave()
        return null
      }}
      onClose={onStay}
    />
  )
}
