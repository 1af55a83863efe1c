'use client'
import { Button, PasswordInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { Link } from '@/components/ui/link'
import { type PasswordFailure, postPassword } from './post-password'
import classes from './sign-in-form.module.css'

const MIN_PASSWORD = 10

/** The new password, for the account of the mailed link. */
export function ResetPasswordForm({ token }: { token: string }) {
  const t = useTranslations('client.password')
  const common = useTranslations('client.signIn')
  const joining = useTranslations('client.signUp')
  const [state, setState] = useState<'idle' | 'busy' | 'saved' | PasswordFailure>('idle')

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    // A refusal must not spend the link.
    if (password.length < MIN_PASSWORD) return setState('password')
    setState('busy')
    setState((await postPassword('/api/auth/reset-password', { token_hash: token, password })) ?? 'saved')
  }

  if (state === 'saved')
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
  const failure = state === 'idle' || state === 'busy' ? null : state
  return (
    <form method="post" onSubmit={submit} className={classes.form} noValidate>
      <p role="alert" className={classes.failure}>
        {failure ? t(`failures.${failure}`) : null}
      </p>
      <PasswordInput
        name="password"
        label={t('newPassword')}
        description={joining('passwordHint', { count: MIN_PASSWORD })}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': common('showPassword') }}
        maxLength={72}
        size="md"
        autoFocus
      />
      <Button type="submit" size="md" loading={state === 'busy'} fullWidth>
        {t('save')}
      </Button>
    </form>
  )
}
