'use client'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useSubmit } from '@/components/forms/use-submit'
import { Link } from '@/components/ui/link'
import classes from './sign-in-form.module.css'
import { SubmitButton } from './submit-button'

const MIN_PASSWORD = 10

/** Requests a link to a new password. The answer is the same whether or not the address has an account. */
export function ForgotPasswordForm() {
  const t = useTranslations('client.password')
  const common = useTranslations('client.signIn')
  const [sent, setSent] = useState(false)
  const { form, busy, submit, errorAt, failure } = useSubmit({
    fields: ['email'],
    texts: { email: t('failures.email'), failed: t('failures.failed') },
  })

  async function ask(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const email = String(new FormData(event.currentTarget).get('email'))
    const answer = await submit('POST', '/api/auth/forgot-password', { email })
    if (answer.ok) setSent(true)
  }

  if (sent)
    return (
      <p role="status" className={classes.done}>
        {t('sent')}
      </p>
    )
  return (
    <form ref={form} method="post" onSubmit={ask} className={classes.form} noValidate>
      <p role="alert" className={classes.failure}>
        {failure}
      </p>
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
      <SubmitButton busy={busy}>{t('send')}</SubmitButton>
    </form>
  )
}

/** Sets the new password of the account that the mailed link belongs to. */
export function ResetPasswordForm({ token }: { token: string }) {
  const t = useTranslations('client.password')
  const common = useTranslations('client.signIn')
  const joining = useTranslations('client.signUp')
  const [saved, setSaved] = useState(false)
  const { form, busy, submit, refuse, errorAt, failure } = useSubmit({
    fields: ['password'],
    texts: {
      password: t('failures.password'),
      'password:weak_password': t('failures.weak'),
      'password:weak_password_link_spent': t('failures.weakSpent'),
      LINK_SPENT: t('failures.spent'),
      // The form's only other value is the link's token, so a problem without a field is about the token.
      INVALID_INPUT: t('failures.spent'),
      failed: t('failures.failed'),
    },
  })

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    if (password.length < MIN_PASSWORD) return refuse('password')
    const answer = await submit('POST', '/api/auth/reset-password', { token_hash: token, password })
    if (answer.ok) setSaved(true)
  }

  if (saved)
    return (
      <div className={classes.form}>
        <p role="status" className={classes.done}>
          {t('saved')}
        </p>
        <Button component={Link} href="/sign-in" size="md" fullWidth>
          {t('signIn')}
        </Button>
      </div>
    )
  return (
    <form ref={form} method="post" onSubmit={save} className={classes.form} noValidate>
      <p role="alert" className={classes.failure}>
        {failure}
      </p>
      <PasswordInput
        name="password"
        label={t('newPassword')}
        description={joining('passwordHint', { count: MIN_PASSWORD })}
        error={errorAt('password')}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': common('showPassword') }}
        maxLength={72}
        size="md"
        autoFocus
      />
      <SubmitButton busy={busy}>{t('save')}</SubmitButton>
    </form>
  )
}
