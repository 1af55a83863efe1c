'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useChange } from '@/components/forms/use-change'
import { useToast } from '@/components/ui/toast'
import type { PushOutcome } from '@/lib/push/schema'
import classes from './account.module.css'

const WORDS = { sent: 'sent', gone: 'gone', refused: 'notSent', retry: 'notSent' } as const

/** Buttons that send a test notice to one of the person's devices, or remove the device. */
export function PushDeviceActions({ id, device }: { id: string; device: string }) {
  const t = useTranslations('client.account.push')
  const say = useToast()
  const change = useChange()
  const [busy, setBusy] = useState(false)

  async function act(action: Promise<string | null>) {
    setBusy(true)
    const problem = await action
    setBusy(false)
    if (problem) say({ text: problem, tone: 'problem' })
  }
  const path = `/api/account/push/${id}`
  const test = () =>
    change<{ outcome: PushOutcome }>({
      method: 'POST',
      path: `${path}/test`,
      onDone: ({ outcome }) =>
        say({ text: t(WORDS[outcome]), tone: outcome === 'sent' ? 'done' : 'problem' }),
    })
  const remove = () => change({ method: 'DELETE', path, done: t('removed', { device }) })

  return (
    <div className={classes.deviceActions}>
      <Button
        variant="default"
        size="compact-sm"
        loading={busy}
        onClick={() => void act(test())}
        aria-label={t('testOf', { device })}
      >
        {t('test')}
      </Button>
      <Button
        variant="default"
        size="compact-sm"
        disabled={busy}
        onClick={() => void act(remove())}
        aria-label={t('removeOf', { device })}
      >
        {t('remove')}
      </Button>
    </div>
  )
}
