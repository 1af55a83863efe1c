'use client'
import { PasswordInput, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useSubmit } from '@/components/forms/use-submit'
import classes from './sign-in-form.module.css'
import { SubmitButton } from './submit-button'

/** E-mail and password. The input stays when the sign-in fails. */
export function SignInForm({ next }: { next: string }) {
  const t = useTranslations('client.signIn')
  const [leaving, setLeaving] = useState(false)
  const { busy, submit, failure } = useSubmit({ texts: { failed: t('failed') } })

  async function signIn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const body = { email: String(fields.get('email')), password: String(fields.get('password')) }
    const answer = await submit('POST', '/api/auth/sign-in', body)
    if (!answer.ok) return
    setLeaving(true)
    // A page that needs the second factor redirects to it.
    window.location.assign(next)
  }

  return (
    // POST keeps the password out of the address when the form is submitted before the script runs.
    <form method="post" onSubmit={signIn} className={classes.form}>
      <p role="alert" className={classes.failure}>
        {failure}
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
      <SubmitButton busy={busy || leaving}>{t('submit')}</SubmitButton>
    </form>
  )
}
