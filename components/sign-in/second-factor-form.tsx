'use client'
import { Button, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useSubmit } from '@/components/forms/use-submit'
import { CodeField } from '@/components/second-factor/code-field'
import { useCodeTexts } from '@/components/second-factor/use-code-texts'
import classes from './sign-in-form.module.css'
import { SubmitButton } from './submit-button'

/** The step after the password: a code of the app, or a recovery code. */
export function SecondFactorForm({ next }: { next: string }) {
  const t = useTranslations('client.secondFactor')
  const [recovering, setRecovering] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const wrong = t(recovering ? 'failures.recovery' : 'failures.code')
  const texts = { ...useCodeTexts(), WRONG_CODE: wrong, INVALID_INPUT: wrong }
  const { busy, submit, clear, failure } = useSubmit({ texts })

  async function confirm(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const name = recovering ? 'recovery_code' : 'code'
    const body = { [name]: String(new FormData(event.currentTarget).get(name)) }
    const answer = await submit('POST', '/api/auth/second-factor', body)
    if (!answer.ok) return
    setLeaving(true)
    window.location.assign(next)
  }

  return (
    <form method="post" onSubmit={confirm} className={classes.form} noValidate>
      <p role="alert" className={classes.failure}>
        {failure}
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
      <SubmitButton busy={busy || leaving}>{t('submit')}</SubmitButton>
      <Button
        variant="default"
        fullWidth
        onClick={() => {
          setRecovering(!recovering)
          clear()
        }}
      >
        {t(recovering ? 'useCode' : 'useRecovery')}
      </Button>
    </form>
  )
}
