'use client'
import { Button, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { FormActions } from '@/components/ui/form-layout'

interface SaveViewProps {
  /** Names in use: saving one of them replaces it. */
  taken: readonly string[]
  onSave: (name: string) => void
  onClose: () => void
}

/** Asks for the name under which the present filters are kept. */
export default function SaveView({ taken, onSave, onClose }: SaveViewProps) {
  const t = useTranslations('client.customers.views')
  const form = useTranslations('client.form')
  const [name, setName] = useState('')
  const [missing, setMissing] = useState(false)

  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (name.trim() === '') return setMissing(true)
    onSave(name.trim())
    onClose()
  }

  return (
    <Dialog title={t('title')} onClose={onClose}>
      <form onSubmit={save} noValidate>
        <TextInput
          label={t('name')}
          description={taken.includes(name.trim()) ? t('replaces') : t('kept')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={missing && name.trim() === '' ? t('missing') : undefined}
          maxLength={60}
          data-autofocus
        />
        <FormActions>
          <Button variant="default" onClick={onClose}>
            {form('cancel')}
          </Button>
          <Button type="submit">{form('save')}</Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
