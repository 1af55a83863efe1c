'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import type { FormEvent } from 'react'
import { useSubmit } from '@/components/forms/use-submit'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields } from '@/components/ui/form-layout'
import { CodeField } from './code-field'

/** Asks for a code of the second factor before a sensitive operation. */
export default function CodeDialog({ onDone }: { onDone: (confirmed: boolean) => void }) {
  const t = useTranslations('client.confirmCode')
  const texts = { WRONG_CODE: t('wrong'), INVALID_INPUT: t('wrong'), failed: t('other') }
  const { busy, submit, failure } = useSubmit({ texts })

  async function confirm(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // React passes the submit event on to the form that opened this dialog: stop it here.
    event.stopPropagation()
    const code = String(new FormData(event.currentTarget).get('code'))
    const answer = await submit('POST', '/api/auth/second-factor', { code })
    if (answer.ok) onDone(true)
  }

  return (
    <Dialog title={t('title')} onClose={() => onDone(false)}>
      <form method="post" onSubmit={confirm} noValidate>
        <FormFields>
          <p>{t('text')}</p>
          <CodeField label={t('code')} />
        </FormFields>
        <Failure text={failure} />
        <FormActions>
          <Button variant="default" onClick={() => onDone(false)}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('confirm')}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
