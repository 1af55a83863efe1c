'use client'
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState, useTransition } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import classes from './recalculate.module.css'

type Result = { evaluated: number; upgraded: number }

/** Evaluates everyone by the saved rules, and says how many rose. */
export function Recalculate() {
  const t = useTranslations('client.loyalty.recalculate')
  const form = useTranslations('client.form')
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [text, setText] = useState<string | null>(null)
  const [, startTransition] = useTransition()

  async function recalculate() {
    setBusy(true)
    setText(null)
    const sent = await send<Result>('POST', '/api/loyalty/recalculate')
    setBusy(false)
    if (!sent.ok) return setText(sent.status === 403 ? form(formProblem(403)) : t('failed'))
    setText(t('done', sent.data))
    startTransition(() => router.refresh())
  }

  return (
    <div className={classes.recalculate}>
      <span role="status">{text ?? t('hint')}</span>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRefresh size={14} aria-hidden />}
        loading={busy}
        onClick={recalculate}
      >
        {t('action')}
      </Button>
    </div>
  )
}
