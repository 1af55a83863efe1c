'use client'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import classes from './sign-in-form.module.css'

type Failure = 'credentials' | 'tooMany' | 'other'

/** E-mail and password. What was typed stays when the sign-in fails. */
export function SignInForm({ next }: { next: string }) {
  const t = useTranslations('client.signIn')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    setBusy(true)
    setFailure(null)
    const failed = await signIn(String(fields.get('email')), String(fields.get('password')))
    // A page that needs the second factor leads to it.
    if (!failed) return window.location.assign(next)
    setFailure(failed)
    setBusy(false)
  }

  return (
    // POST, so that a submit before the script runs never puts the password into the address.
    <form method="post" onSubmit={submit} className={classes.form}>
      <p role="alert" className={classes.failure}>
        {failure ? t(failure) : null}
      </p>
      <TextInput
        name="email"
        type="email"
        label={t('email')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        withAsterisk={false}
        required
        size="md"
        autoFocus
      />
      <PasswordInput
        name="password"
        label={t('password')}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
        withAsterisk={false}
        required
        size="md"
      />
      <Button type="submit" size="md" loading={busy} fullWidth>
        {t('submit')}
      </Button>
    </form>
  )
}

async function signIn(email: string, password: string): Promise<Failure | null> {
  const response = await fetch('/api/auth/sign-in', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  }).catch(() => null)
  if (response?.ok) return null
  if (response?.status === 401) return 'credentials'
  return response?.status === 429 ? 'tooMany' : 'other'
}
