'use client'
import { Button, PasswordInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { FormEvent } from 'react'
import { useSubmit } from '@/components/forms/use-submit'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { Panel } from '@/components/ui/panel'
import { useToast } from '@/components/ui/toast'

const MIN_PASSWORD = 10

/** Changes the password, given the current one; the person's other sessions end. */
export function PasswordPanel({ email }: { email: string }) {
  const t = useTranslations('client.account.password')
  const say = useToast()
  const router = useRouter()
  const { form, busy, submit, refuse, errorAt, failure } = useSubmit({
    fields: ['current_password', 'password'],
    texts: {
      current_password: t('problems.current'),
      password: t('problems.length'),
      'password:weak_password': t('problems.weak'),
      'password:same_password': t('problems.same'),
      RATE_LIMITED: t('problems.tooMany'),
      AUTH_UNAVAILABLE: t('problems.failed'),
      failed: t('problems.failed'),
    },
  })
  const toggle = { 'aria-label': t('show') }

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const body = { current_password: String(data.get('current')), password: String(data.get('next')) }
    if (body.current_password === '') return refuse('current_password')
    if (body.password.length < MIN_PASSWORD) return refuse('password')
    const answer = await submit('POST', '/api/auth/password', body)
    if (!answer.ok) return
    form.current?.reset()
    say(t('saved'))
    router.refresh()
  }

  return (
    <Panel title={t('title')}>
      <form ref={form} method="post" onSubmit={save} noValidate>
        {/* Lets the browser's password manager know the account. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <FormFields>
          <FormRow>
            <PasswordInput
              name="current"
              label={t('current')}
              autoComplete="current-password"
              error={errorAt('current_password')}
              maxLength={200}
              visibilityToggleButtonProps={toggle}
            />
            <PasswordInput
              name="next"
              label={t('next')}
              description={t('hint', { count: MIN_PASSWORD })}
              autoComplete="new-password"
              error={errorAt('password')}
              maxLength={72}
              visibilityToggleButtonProps={toggle}
            />
          </FormRow>
        </FormFields>
        <Failure text={failure} />
        <FormActions>
          <Button type="submit" loading={busy}>
            {t('save')}
          </Button>
        </FormActions>
      </form>
    </Panel>
  )
}
