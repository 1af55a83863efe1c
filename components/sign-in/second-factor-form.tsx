'use client'
import { Button, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { CodeField } from '@/components/second-factor/code-field'
import { type CodeFailure, giveCode } from '@/components/second-factor/give-code'
import classes from './sign-in-form.module.css'

/** The step after the password: a code of the app, or a recovery code. */
export function SecondFactorForm({ next }: { next: string }) {
  const t = useTranslations('client.secondFactor')
  const [recovering, setRecovering] = useState(false)
  const [state, setState] = useState<'idle' | 'busy' | CodeFailure>('idle')

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get(recovering ? 'recovery_code' : 'code'))
    setState('busy')
    const failure = await giveCode(recovering ? { recovery_code: code } : { code })
    if (!failure) return window.location.assign(next)
    setState(failure)
  }

  const failure = state === 'idle' || state === 'busy' ? null : state
  const wrong = recovering ? 'recovery' : 'code'
  return (
    <form method="post" onSubmit={submit} className={classes.form} noValidate>
      <p role="alert" className={classes.failure}>
        {failure ? t(`failures.${failure === 'wrong' ? wrong : failure}`) : null}
      </p>
      {recovering ? (
        <TextInput
          name="recovery_code"
          label={t('recoveryCode')}
          description={t('recoveryText')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          size="md"
          autoFocus
        />
      ) : (
        <CodeField label={t('code')} />
      )}
      <Button type="submit" size="md" loading={state === 'busy'} fullWidth>
        {t('submit')}
      </Button>
      <Button
        variant="default"
        fullWidth
        onClick={() => {
          setRecovering(!recovering)
          setState('idle')
        }}
      >
        {t(recovering ? 'useCode' : 'useRecovery')}
      </Button>
    </form>
  )
}
