'use client'
import { Button, Switch } from '@mantine/core'
import { IconHandStop, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useOptimistic, useState, useTransition } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { useTabRouter } from '@/components/ui/tab-address'
import { useToast } from '@/components/ui/toast'
import type { AutomationPreview } from '@/lib/automations/schema'
import classes from './automations.module.css'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog), {
  ssr: false,
})

interface StatusSwitchProps {
  id: string
  name: string
  active: boolean
  /** The label beside the switch; without one the name is for screen readers only. */
  label?: string
}

/** Switches an automation on or off. Reasons that prevent it are shown below the switch. */
export function StatusSwitch({ id, name, active, label }: StatusSwitchProps) {
  const t = useTranslations('client.automations')
  const words = useErrorText()
  const say = useToast()
  const router = useTabRouter()
  const [pending, startTransition] = useTransition()
  const [shown, show] = useOptimistic(active)
  const [problem, setProblem] = useState<string | null>(null)

  function change(next: boolean) {
    setProblem(null)
    startTransition(async () => {
      show(next)
      const sent = await send('PATCH', `/api/automations/${id}`, { status: next ? 'active' : 'inactive' })
      if (sent.ok) {
        say(t(next ? 'activated' : 'deactivated', { name }))
        router.refresh()
      } else setProblem(words.ofRefusal(sent, { INVALID_INPUT: t('incomplete') }))
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

/** Runs an automation now. Asks first, with the number of recipients. */
export function RunButton({ id, name, active }: { id: string; name: string; active: boolean }) {
  const t = useTranslations('client.automations.run')
  const words = useErrorText()
  const say = useToast()
  const router = useTabRouter()
  const [counting, setCounting] = useState(false)
  const [question, setQuestion] = useState<string | null>(null)

  async function ask() {
    setCounting(true)
    const sent = await send<AutomationPreview>('GET', `/api/automations/${id}/preview`)
    setCounting(false)
    if (!sent.ok) return say(t(sent.code === 'INVALID_INPUT' ? 'template' : 'unreachable'))
    const { matched, to_send, held_by_quiet_hours: held, skipped } = sent.data
    const { no_provider, no_app_url } = skipped
    const left = matched - to_send
    const lines = [
      t('audience', { count: to_send }),
      held > 0 && t('held', { count: held }),
      left > 0 && t('left', { count: left }),
      no_provider > 0 && t('noProvider', { count: no_provider }),
      no_app_url > 0 && t('noAppUrl', { count: no_app_url }),
      to_send > 0 && t('irreversible'),
    ]
    setQuestion(lines.filter(Boolean).join(' '))
  }

  async function run(): Promise<string | null> {
    const headers = { Prefer: 'respond-async' }
    const sent = await send('POST', `/api/automations/${id}/run`, undefined, { headers })
    if (sent.ok) {
      say(t('started', { name }))
      router.refresh()
      return null
    }
    if (sent.code === 'AUTOMATION_NOT_FOUND') return words.ofRefusal(sent)
    return t(sent.code === 'RATE_LIMITED' ? 'limited' : 'failed')
  }

  return (
    <>
      <Button
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        onClick={ask}
        loading={counting}
        disabled={!active}
        title={active ? undefined : t('inactive')}
      >
        {t('action')}
      </Button>
      {question ? (
        <ConfirmDialog
          title={t('title', { name })}
          text={question}
          action={t('action')}
          danger={false}
          onConfirm={run}
          onClose={() => setQuestion(null)}
        />
      ) : null}
    </>
  )
}

/** Deletes an automation. Asks first, and names what is lost. */
export function DeleteButton({ id, name }: { id: string; name: string }) {
  const t = useTranslations('client.automations.delete')
  const words = useErrorText()
  const say = useToast()
  const router = useTabRouter()
  const [asking, setAsking] = useState(false)

  async function remove(): Promise<string | null> {
    const sent = await send('DELETE', `/api/automations/${id}`)
    if (!sent.ok) return words.ofRefusal(sent)
    say(t('done', { name }))
    router.push('/automations')
    router.refresh()
    return null
  }

  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('action')}
      </Button>
      {asking ? (
        <ConfirmDialog
          title={t('title', { name })}
          text={t('text')}
          action={t('confirm')}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}

/** Stops or resumes all sending of automations. Asks first. */
export function SendingSwitch({ stopped }: { stopped: boolean }) {
  const t = useTranslations('client.automations.sending')
  const words = useErrorText()
  const say = useToast()
  const router = useTabRouter()
  const [asking, setAsking] = useState(false)
  const way = stopped ? 'resume' : 'stop'
  const Icon = stopped ? IconPlayerPlay : IconHandStop

  async function change(): Promise<string | null> {
    const sent = await send('PUT', '/api/automations/sending', { stopped: !stopped })
    if (!sent.ok) return words.ofRefusal(sent)
    say(t(`${way}.done`))
    router.refresh()
    return null
  }

  return (
    <>
      <Button variant="default" leftSection={<Icon size={16} aria-hidden />} onClick={() => setAsking(true)}>
        {t(`${way}.action`)}
      </Button>
      {asking ? (
        <ConfirmDialog
          title={t(`${way}.title`)}
          text={t(`${way}.text`)}
          action={t(`${way}.action`)}
          danger={!stopped}
          onConfirm={change}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
