'use client'
import { Button } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { forgetWhatWasTyped } from '@/components/forms/draft-owner'
import { useChange } from '@/components/forms/use-change'
import { useSubmit } from '@/components/forms/use-submit'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import classes from './account.module.css'

/** Ends one session, without a question: the person can sign in there again. */
export function EndSession({ id, device }: { id: string; device: string }) {
  const t = useTranslations('client.account')
  const say = useToast()
  const router = useRouter()
  const { busy, submit } = useSubmit()

  async function end() {
    const answer = await submit('DELETE', `/api/auth/sessions/${id}`)
    // A session that has ended meanwhile counts as done.
    if (!answer.ok && answer.code !== 'NOT_FOUND') return say(t('notEnded'))
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

const ENDPOINT = '/api/auth/sessions/end'

/** Ends all sessions, or all others where there are some. */
export function EndSessions({ others }: { others: boolean }) {
  const t = useTranslations('client.account')
  const say = useToast()
  const router = useRouter()
  const change = useChange()
  const [asking, setAsking] = useState(false)
  const { busy, submit, failure } = useSubmit({ texts: { failed: t('notEnded') } })

  async function endOthers() {
    const answer = await submit('POST', ENDPOINT, { which: 'others' })
    if (!answer.ok) return
    say(t('othersEnded'))
    router.refresh()
  }

  const endAll = () =>
    change({
      method: 'POST',
      path: ENDPOINT,
      body: { which: 'everywhere' },
      onDone: () => {
        forgetWhatWasTyped()
        window.location.assign('/sign-in')
      },
    })

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
