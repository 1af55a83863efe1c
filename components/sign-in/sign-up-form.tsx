'use client'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import type { Messages } from 'next-intl'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState, useSyncExternalStore } from 'react'
import { Failure } from '@/components/ui/failure'
import { Link } from '@/components/ui/link'
import classes from './sign-in-form.module.css'

type Problem = keyof Messages['client']['signUp']['failures']

const MIN_PASSWORD = 10

/**
 * E-mail and password of a person invited. The token is in the address after the #, which no server sees and no Referer
 * holds. What was typed stays when it is refused.
 */
export function SignUpForm() {
  const t = useTranslations('client.signUp')
  const common = useTranslations('client.signIn')
  const token = useSyncExternalStore(onHashChange, tokenOfAddress, () => null)
  const [state, setState] = useState<'idle' | 'busy' | 'confirm' | Problem>('idle')

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = Object.fromEntries(new FormData(event.currentTarget))
    if (String(fields.password).length < MIN_PASSWORD) return setState('password')
    setState('busy')
    const outcome = await signUp({ ...fields, token })
    if (outcome === 'joined') window.location.assign('/')
    else setState(outcome)
  }

  if (state === 'confirm')
    return (
      <p role="status" className={classes.done}>
        {t('confirm')}
      </p>
    )
  if (token === '') return <Failure text={t('noToken')} />
  const failure = state === 'idle' || state === 'busy' ? null : state
  return (
    // POST, so that a submit before the script runs never puts the password into the address.
    <form method="post" onSubmit={submit} className={classes.form} noValidate>
      <p role="alert" className={classes.failure}>
        {failure ? t(`failures.${failure}`) : null}
      </p>
      {failure === 'notInvited' ? (
        <p className={classes.hint}>
          <Link href="/forgot-password">{t('forgot')}</Link>
        </p>
      ) : null}
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
      <TextInput name="full_name" label={t('name')} autoComplete="name" maxLength={120} size="md" />
      <PasswordInput
        name="password"
        label={common('password')}
        description={t('passwordHint', { count: MIN_PASSWORD })}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': common('showPassword') }}
        maxLength={72}
        size="md"
      />
      <Button type="submit" size="md" loading={state === 'busy'} fullWidth>
        {t('submit')}
      </Button>
    </form>
  )
}

async function signUp(fields: object): Promise<'joined' | 'confirm' | Problem> {
  const response = await fetch('/api/auth/sign-up', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  }).catch(() => null)
  if (response?.status === 202) return 'confirm' in (await response.json()) ? 'confirm' : 'joined'
  if (response?.ok) return 'joined'
  if (response?.status === 403) return 'notInvited'
  if (response?.status === 429) return 'tooMany'
  if (response?.status !== 400) return 'other'
  const { error } = await response.json().catch(() => ({ error: '' }))
  if (error === 'password: too weak') return 'weak'
  return String(error).startsWith('email') ? 'email' : 'password'
}

function onHashChange(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

const tokenOfAddress = () => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? ''
