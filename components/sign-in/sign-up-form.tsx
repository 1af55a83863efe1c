'use client'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState, useSyncExternalStore } from 'react'
import { useSubmit } from '@/components/forms/use-submit'
import { Failure } from '@/components/ui/failure'
import { Link } from '@/components/ui/link'
import classes from './sign-in-form.module.css'

const MIN_PASSWORD = 10

/**
 * E-mail and password of an invited person. The token is after the # of the address, so it is never sent to a server
 * or in a Referer. The input stays after a refusal.
 */
export function SignUpForm() {
  const t = useTranslations('client.signUp')
  const common = useTranslations('client.signIn')
  const token = useSyncExternalStore(onHashChange, tokenOfAddress, () => null)
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
  if (token === '') return <Failure text={t('noToken')} />
  return (
    // POST keeps the password out of the address when the form is submitted before the script runs.
    <form ref={form} method="post" onSubmit={signUp} className={classes.form} noValidate>
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
        error={errorAt('email')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        size="md"
        autoFocus
      />
      <TextInput
        name="full_name"
        label={t('name')}
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
      />
      <Button type="submit" size="md" loading={busy || leaving} fullWidth>
        {t('submit')}
      </Button>
    </form>
  )
}

function onHashChange(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

const tokenOfAddress = () => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? ''
