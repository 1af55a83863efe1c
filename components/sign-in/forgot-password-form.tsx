'use client'
import { Button, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { type PasswordFailure, postPassword } from './post-password'
import classes from './sign-in-form.module.css'

/** The address the link goes to. What follows is the same whether or not it has an account. */
export function ForgotPasswordForm() {
  const t = useTranslations('client.password')
  const common = useTranslations('client.signIn')
  const [state, setState] = useState<'idle' | 'busy' | 'sent' | PasswordFailure>('idle')

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const email = String(new FormData(event.currentTarget).get('email'))
    setState('busy')
    setState((await postPassword('/api/auth/forgot-password', { email })) ?? 'sent')
  }

  if (state === 'sent')
    return (
      <p role="status" className={classes.done}>
        {t('sent')}
      </p>
    )
  const failure = state === 'idle' || state === 'busy' ? null : state
  return (
    <form method="post" onSubmit={submit} className={classes.form} noValidate>
      <p role="alert" className={classes.failure}>
        {failure ? t(`failures.${failure}`) : null}
      </p>
      <TextInput
        name="email"
        type="email"
        label={common('email')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        size="md"
        autoFocus
      />
      <Button type="submit" size="md" loading={state === 'busy'} fullWidth>
        {t('send')}
      </Button>
    </form>
  )
}
