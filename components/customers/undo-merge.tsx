'use client'
import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { type ToastMessage, useToast } from '@/components/ui/toast'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { CustomerMerge, MergeUndone } from '@/lib/customers/merges-schema'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog), {
  ssr: false,
})

interface UndoMergeProps {
  merge: Pick<CustomerMerge, 'id' | 'moved'>
  /** The name of the merged customer; null without a name. */
  name: string | null
}

/** The button that undoes a merge. Asks first, and lists what goes back to each of the two customers. */
export function UndoMerge({ merge, name }: UndoMergeProps) {
  const t = useTranslations('client.merge.undo')
  const undo = useUndoMerge()
  const say = useToast()
  const [asking, setAsking] = useState(false)
  const who = name ?? t('noName')
  const { calendar_events: events, ...counts } = merge.moved
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconArrowBackUp size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('open')}
        <VisuallyHidden> {t('openOf', { name: who })}</VisuallyHidden>
      </Button>
      {asking ? (
        <ConfirmDialog
          title={t('title', { name: who })}
          text={t('text', { name: who, ...counts, events })}
          action={t('action')}
          danger={false}
          onConfirm={async () => {
            const said = await undo(merge.id, who)
            if (typeof said === 'string') return said
            say(said)
            return null
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}

/** Undoes a merge; `name` is the merged customer's. Resolves to a toast, or to the reason of the failure as a text. */
export function useUndoMerge(): (id: string, name: string) => Promise<ToastMessage | string> {
  const t = useTranslations('client.merge.undo')
  const labels = useTranslations('client.guestFields')
  const errors = useErrorText()
  const router = useRouter()
  return async (id, name) => {
    const sent = await send<MergeUndone>('POST', `/api/customer-merges/${id}/undo`)
    if (!sent.ok) return errors.ofRefusal(sent, { NOT_FOUND: t('gone') })
    router.refresh()
    const { kept, restored } = sent.data.not_restored
    if (restored.length > 0) return { text: t('lost', { name }), tone: 'warning' }
    // The WhatsApp id moves together with the phone number.
    const fields = kept.flatMap((field) => (field === 'whatsapp_id' ? [] : [labels(field)]))
    return fields.length > 0 ? { text: t('partly', { fields: fields.join(', ') }) } : { text: t('done') }
  }
}
