'use client'
import { Button } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import classes from './sessions-panel.module.css'

/** Ends one session; the page above says that this cannot be undone. */
export function EndSession({ id, device }: { id: string; device: string }) {
  const t = useTranslations('client.account')
  const say = useToast()
  const router = useRouter()
  const [busy, setBusy] = useState(false)

  async function end() {
    setBusy(true)
    const answer = await send('DELETE', `/api/auth/sessions/${id}`)
    setBusy(false)
    // Gone already is what was asked for.
    if (!answer.ok && answer.status !== 404) return say(t('notEnded'))
    say(t('ended', { device }))
    router.refresh()
  }

  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={busy}
      onClick={end}
      aria-label={t('endOne', { device })}
    >
      {t('end')}
    </Button>
  )
}

/** Ends all sessions, or all others where there are some. */
export function EndSessions({ others }: { others: boolean }) {
  const t = useTranslations('client.account')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const end = (which: 'others' | 'everywhere') => send('POST', '/api/auth/sessions/end', { which })

  async function endOthers() {
    setBusy(true)
    const answer = await end('others')
    setBusy(false)
    setFailure(answer.ok ? null : t('notEnded'))
    if (!answer.ok) return
    say(t('othersEnded'))
    router.refresh()
  }

  async function endAll(): Promise<string | null> {
    const answer = await end('everywhere')
    if (!answer.ok) return form(formProblem(answer.status))
    window.location.assign('/sign-in')
    return null
  }

  return (
    <div className={classes.actions}>
      <Failure text={failure} />
      <FormActions>
        <Button variant="default" onClick={() => setAsking(true)}>
          {t('endAll')}
        </Button>
        {others ? (
          <Button onClick={endOthers} loading={busy}>
            {t('endOthers')}
          </Button>
        ) : null}
      </FormActions>
      {asking ? (
        <ConfirmDialog
          title={t('endAll')}
          text={t('endAllText')}
          action={t('endAllAction')}
          onConfirm={endAll}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  )
}
