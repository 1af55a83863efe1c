'use client'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useState, useSyncExternalStore } from 'react'
import { type Answer, send } from '@/components/forms/send'
import { useSubmit } from '@/components/forms/use-submit'
import { Failure } from '@/components/ui/failure'
import { Link } from '@/components/ui/link'
import type { OpenInvitation } from '@/lib/auth/schema'
import classes from './sign-in-form.module.css'
import { SubmitButton } from './submit-button'

const MIN_PASSWORD = 10

/**
 * Joining by an invitation. The token is after the # of the address, so it is never sent to a server by the browser or
 * in a Referer; whom it is for is asked with it.
 */
export function SignUpForm() {
  const t = useTranslations('client.signUp')
  const token = useSyncExternalStore(onHashChange, tokenOfAddress, () => null)
  const [tries, setTries] = useState(0)
  if (token === '') return <Failure text={t('noToken')} />
  if (token === null) return <Reading />
  return <Invited key={`${token} ${tries}`} token={token} onRetry={() => setTries(tries + 1)} />
}

function Reading() {
  const t = useTranslations('client.signUp')
  return (
    <p role="status" className={classes.hint}>
      {t('loading')}
    </p>
  )
}

/** Asks whom the invitation is for, then shows the form. */
function Invited({ token, onRetry }: { token: string; onRetry: () => void }) {
  const t = useTranslations('client.signUp')
  const [answer, setAnswer] = useState<Answer<OpenInvitation> | null>(null)
  useEffect(() => {
    const asking = new AbortController()
    const { signal } = asking
    void send<OpenInvitation>('POST', '/api/auth/invitation', { token }, { stay: true, signal }).then(
      (heard) => signal.aborted || setAnswer(heard),
    )
    return () => asking.abort()
  }, [token])

  if (!answer) return <Reading />
  if (answer.ok) return <JoinForm token={token} invitation={answer.data} />
  if (answer.status === 403 || answer.status === 400) return <Failure text={t('invalid')} />
  return (
    <div className={classes.form}>
      <Failure text={t('silent')} />
      <Button size="md" fullWidth onClick={onRetry}>
        {t('retry')}
      </Button>
    </div>
  )
}

/** The invited address and name, and a password. The input stays after a refusal. */
function JoinForm({ token, invitation }: { token: string; invitation: OpenInvitation }) {
  const t = useTranslations('client.signUp')
  const common = useTranslations('client.signIn')
  const [confirming, setConfirming] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const { form, busy, submit, refuse, refusal, errorAt, failure } = useSubmit({
    fields: ['email', 'full_name', 'password'],
    texts: {
      email: t('failures.email'),
      password: t('failures.password'),
      'password:weak_password': t('failures.weak'),
      INVALID_INVITATION: t('failures.notInvited'),
      failed: t('failures.failed'),
    },
  })

  async function signUp(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = Object.fromEntries(new FormData(event.currentTarget))
    if (String(fields.password).length < MIN_PASSWORD) return refuse('password')
    const answer = await submit<object>('POST', '/api/auth/sign-up', { ...fields, token })
    if (!answer.ok) return
    if ('confirm' in answer.data) return setConfirming(true)
    setLeaving(true)
    window.location.assign('/')
  }

  if (confirming)
    return (
      <p role="status" className={classes.done}>
        {t('confirm')}
      </p>
    )
  return (
    // POST keeps the password out of the address when the form is submitted before the script runs.
    <form ref={form} method="post" onSubmit={signUp} className={classes.form} noValidate>
      <p className={classes.hint}>{t('invited', { organization: invitation.organization })}</p>
      <p role="alert" className={classes.failure}>
        {failure}
      </p>
      {refusal?.code === 'INVALID_INVITATION' ? (
        <p className={classes.hint}>
          <Link href="/forgot-password">{t('forgot')}</Link>
        </p>
      ) : null}
      <TextInput
        name="email"
        type="email"
        label={common('email')}
        description={t('emailHint')}
        defaultValue={invitation.email}
        readOnly
        error={errorAt('email')}
        autoComplete="username"
        size="md"
      />
      <TextInput
        name="full_name"
        label={t('name')}
        defaultValue={invitation.full_name ?? ''}
        error={errorAt('full_name')}
        autoComplete="name"
        maxLength={120}
        size="md"
      />
      <PasswordInput
        name="password"
        label={common('password')}
        description={t('passwordHint', { count: MIN_PASSWORD })}
        error={errorAt('password')}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': common('showPassword') }}
        maxLength={72}
        size="md"
        autoFocus
      />
      <SubmitButton busy={busy || leaving}>{t('submit')}</SubmitButton>
    </form>
  )
}

function onHashChange(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

const tokenOfAddress = () => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? ''
