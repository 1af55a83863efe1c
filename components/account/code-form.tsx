'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { CodeField } from '@/components/second-factor/code-field'
import { type CodeFailure, postCode } from '@/components/second-factor/give-code'
import { Failure } from '@/components/ui/failure'
import { FormActions } from '@/components/ui/form-layout'

interface CodeFormProps {
  method: 'POST' | 'DELETE'
  path: string
  /** What goes along with the code. */
  fields?: object
  action: string
  onAnswer: (answer: unknown) => void
  onCancel: () => void
}

/** One code, and why it was not taken. */
export function CodeForm({ method, path, fields, action, onAnswer, onCancel }: CodeFormProps) {
  const t = useTranslations('client.secondFactor')
  const [state, setState] = useState<'idle' | 'busy' | CodeFailure>('idle')

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code'))
    setState('busy')
    setState((await postCode(method, path, { ...fields, code }, onAnswer)) ?? 'idle')
  }

  const failure = state === 'idle' || state === 'busy' ? null : state
  return (
    <form method="post" onSubmit={submit} noValidate>
      <CodeField label={t('code')} />
      <Failure text={failure && t(`failures.${failure === 'wrong' ? 'code' : failure}`)} />
      <FormActions>
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={state === 'busy'}>
          {action}
        </Button>
      </FormActions>
    </form>
  )
}
