'use client'
import { Button } from '@mantine/core'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { useToast } from '@/components/ui/toast'
import classes from './messages.module.css'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog), {
  ssr: false,
})

const OUTCOMES = ['sent', 'failed'] as const

/** Settles a message with an unknown outcome: marks it as delivered or as not delivered. */
export function SettleActions({ id, who }: { id: string; who: string }) {
  const t = useTranslations('client.automations.settle')
  const words = useErrorText()
  const say = useToast()
  const router = useRouter()
  const [asking, setAsking] = useState<(typeof OUTCOMES)[number] | null>(null)

  async function settle(): Promise<string | null> {
    const sent = await send('POST', `/api/messages/${id}/reconcile`, { status: asking })
    if (!sent.ok) return words.ofRefusal(sent)
    say(t('done'))
    router.refresh()
    return null
  }

  return (
    <div className={classes.actions}>
      {OUTCOMES.map((outcome) => (
        <Button
          key={outcome}
          size="compact-xs"
          variant="default"
          aria-label={t(`${outcome}Of`, { who })}
          onClick={() => setAsking(outcome)}
        >
          {t(outcome)}
        </Button>
      ))}
      {asking ? (
        <ConfirmDialog
          title={t(`${asking}Title`, { who })}
          text={t(`${asking}Text`)}
          action={t(asking)}
          danger={asking === 'failed'}
          onConfirm={settle}
          onClose={() => setAsking(null)}
        />
      ) : null}
    </div>
  )
}
