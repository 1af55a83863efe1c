'use client'
import { Switch } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useOptimistic, useState, useTransition } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { useToast } from '@/components/ui/toast'
import classes from './status-switch.module.css'

interface StatusSwitchProps {
  id: string
  name: string
  active: boolean
  /** Shown beside it; without one the name is for screen readers only. */
  label?: string
}

/** Activates and pauses an automation. What stands in the way of it is told beneath. */
export function StatusSwitch({ id, name, active, label }: StatusSwitchProps) {
  const t = useTranslations('client.automations')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  const [shown, show] = useOptimistic(active)
  const [problem, setProblem] = useState<string | null>(null)

  function change(next: boolean) {
    setProblem(null)
    startTransition(async () => {
      show(next)
      const sent = await send('PATCH', `/api/automations/${id}`, { status: next ? 'active' : 'inactive' })
      if (sent.ok) {
        say(t(next ? 'activated' : 'paused', { name }))
        router.refresh()
      } else if (sent.status === 400) setProblem(t('incomplete'))
      else
        setProblem(sent.status === 403 || sent.status === 404 ? form(formProblem(sent.status)) : t('failed'))
    })
  }

  return (
    <div className={classes.switch}>
      <Switch
        checked={shown}
        disabled={pending}
        label={label}
        aria-label={label ? undefined : t('activate', { name })}
        onChange={(event) => change(event.currentTarget.checked)}
      />
      <p role="alert" className={classes.problem}>
        {problem}
      </p>
    </div>
  )
}
