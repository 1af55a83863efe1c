'use client'
import { Button } from '@mantine/core'
import { IconPencil, IconRefresh } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState, useTransition } from 'react'
import { useSubmit } from '@/components/forms/use-submit'
import type { LoyaltyConfig } from '@/lib/loyalty/schema'
import classes from './panels.module.css'

type Result = { evaluated: number; upgraded: number }

/** Evaluates every customer's tier by the saved rules, and shows how many rose. */
export function Recalculate() {
  const t = useTranslations('client.loyalty.recalculate')
  const router = useRouter()
  const { busy, submit, failure } = useSubmit({ texts: { failed: t('failed') } })
  const [result, setResult] = useState<Result | null>(null)
  const [, startTransition] = useTransition()

  async function recalculate() {
    setResult(null)
    const answer = await submit<Result>('POST', '/api/loyalty/recalculate')
    if (!answer.ok) return
    setResult(answer.data)
    startTransition(() => router.refresh())
  }

  return (
    <div className={classes.recalculate}>
      <span role="status">{failure ?? (result ? t('done', result) : t('hint'))}</span>
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

const TiersForm = dynamic(() => import('./tiers-form'), { ssr: false })

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
