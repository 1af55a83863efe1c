'use client'
import { Button, PasswordInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useRef, useState } from 'react'
import { fieldOf, send } from '@/components/settings/send'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { Panel } from '@/components/ui/panel'
import { useToast } from '@/components/ui/toast'

const MIN_PASSWORD = 10
const ENDPOINT = '/api/auth/password'

type Problem = 'current' | 'length' | 'weak' | 'same' | 'tooMany' | 'other'

/** Another password for who knows the current one; it ends the other sessions. */
export function PasswordPanel({ email }: { email: string }) {
  const t = useTranslations('client.account')
  const say = useToast()
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const toggle = { 'aria-label': t('password.show') }

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const body = { current_password: String(data.get('current')), password: String(data.get('next')) }
    if (body.current_password === '') return setProblem('current')
    if (body.password.length < MIN_PASSWORD) return setProblem('length')
    setBusy(true)
    const answer = await send('POST', ENDPOINT, body)
    setBusy(false)
    setProblem(answer.ok ? null : problemOf(answer))
    if (!answer.ok) return
    form.current?.reset()
    say(t('password.saved'))
    router.refresh()
  }

  const at = (...problems: Problem[]) =>
    problem && problems.includes(problem) ? t(`password.problems.${problem}`) : undefined
  return (
    <Panel title={t('password.title')}>
      <form ref={form} method="post" onSubmit={save} noValidate>
        {/* So that the browser's password keeper knows whose it is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <FormFields>
          <FormRow>
            <PasswordInput
              name="current"
              label={t('password.current')}
              autoComplete="current-password"
              error={at('current')}
              maxLength={200}
              visibilityToggleButtonProps={toggle}
            />
            <PasswordInput
              name="next"
              label={t('password.next')}
              description={t('password.hint', { count: MIN_PASSWORD })}
              autoComplete="new-password"
              error={at('length', 'weak', 'same')}
              maxLength={72}
              visibilityToggleButtonProps={toggle}
            />
          </FormRow>
        </FormFields>
        <Failure text={at('tooMany', 'other') ?? null} />
        <FormActions>
          <Button type="submit" loading={busy}>
            {t('password.save')}
          </Button>
        </FormActions>
      </form>
    </Panel>
  )
}

function problemOf({ status, error }: { status: number; error: string }): Problem {
  if (status === 429) return 'tooMany'
  if (status !== 400) return 'other'
  if (fieldOf(error) === 'current_password') return 'current'
  if (error.includes('too weak')) return 'weak'
  return error.includes('the same') ? 'same' : 'length'
}
