'use client'
import { NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useSubmit } from '@/components/forms/use-submit'
import classes from '@/components/sign-in/sign-in-form.module.css'
import { SubmitButton } from '@/components/sign-in/submit-button'
import { Link } from '@/components/ui/link'

const MIN_PASSWORD = 10

/** Creates the first group and its first person. The input stays after a refusal. */
export function SetupForm({ timeZones }: { timeZones: string[] }) {
  const t = useTranslations('client.setup')
  const joining = useTranslations('client.signUp')
  const common = useTranslations('client.signIn')
  const [leaving, setLeaving] = useState(false)
  const { form, busy, submit, refusal, errorAt, failure } = useSubmit({
    fields: ['token', 'group_name', 'timezone', 'full_name', 'email', 'password'],
    at: { SETUP_REFUSED: 'token' },
    texts: {
      group_name: t('failures.group'),
      email: joining('failures.email'),
      'email:not_unique': t('failures.account'),
      password: joining('failures.password'),
      'password:weak_password': joining('failures.weak'),
      failed: t('failures.failed'),
    },
  })

  async function setUp(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = Object.fromEntries(new FormData(event.currentTarget))
    const answer = await submit('POST', '/api/setup', fields)
    if (!answer.ok) return
    setLeaving(true)
    // Without a session the home page redirects to the sign-in.
    window.location.assign('/')
  }

  return (
    // POST keeps the password out of the address when the form is submitted before the script runs.
    <form ref={form} method="post" onSubmit={setUp} className={classes.form} noValidate>
      <p role="alert" className={classes.failure}>
        {failure}
      </p>
      {refusal?.code === 'SETUP_DONE' ? (
        <p className={classes.hint}>
          <Link href="/sign-in">{t('signIn')}</Link>
        </p>
      ) : null}
      <PasswordInput
        name="token"
        label={t('token')}
        description={t('tokenHint')}
        error={errorAt('token')}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': t('showToken') }}
        maxLength={200}
        size="md"
        autoFocus
      />
      <TextInput
        name="group_name"
        label={t('group')}
        description={t('groupHint')}
        error={errorAt('group_name')}
        autoComplete="organization"
        maxLength={120}
        size="md"
      />
      <NativeSelect
        name="timezone"
        label={t('timezone')}
        data={timeZones}
        error={errorAt('timezone')}
        size="md"
      />
      <TextInput
        name="full_name"
        label={joining('name')}
        error={errorAt('full_name')}
        autoComplete="name"
        maxLength={120}
        size="md"
      />
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
      />
      <PasswordInput
        name="password"
        label={common('password')}
        description={joining('passwordHint', { count: MIN_PASSWORD })}
        error={errorAt('password')}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': common('showPassword') }}
        maxLength={72}
        size="md"
      />
      <SubmitButton busy={busy || leaving}>{t('submit')}</SubmitButton>
    </form>
  )
}
