'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields } from '@/components/ui/form-layout'
import { CodeField } from './code-field'
import { type CodeFailure, giveCode } from './give-code'

/** Asks for a code of the second factor before something that matters. */
export default function CodeDialog({ onDone }: { onDone: (confirmed: boolean) => void }) {
  const t = useTranslations('client.confirmCode')
  const [state, setState] = useState<'idle' | 'busy' | CodeFailure>('idle')

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // The request that asks may come from within another form's dialog.
    event.stopPropagation()
    const code = String(new FormData(event.currentTarget).get('code'))
    setState('busy')
    const failure = await giveCode({ code })
    if (!failure) return onDone(true)
    setState(failure)
  }

  const failure = state === 'idle' || state === 'busy' ? null : state
  return (
    <Dialog title={t('title')} onClose={() => onDone(false)}>
      <form method="post" onSubmit={submit} noValidate>
        <FormFields>
          <p>{t('text')}</p>
          <CodeField label={t('code')} />
        </FormFields>
        <Failure text={failure && t(failure === 'wrong' || failure === 'tooMany' ? failure : 'other')} />
        <FormActions>
          <Button variant="default" onClick={() => onDone(false)}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={state === 'busy'}>
            {t('confirm')}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
