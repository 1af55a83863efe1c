'use client'
import { Button, Textarea } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { SubmitButtons } from '@/components/forms/submit-buttons'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { FormActions } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'

/** A form for a shift note; its text stays until it is saved. */
export function NewNote({ locationId }: { locationId: string }) {
  const t = useTranslations('client.morning')
  const say = useToast()
  const router = useRouter()
  const [text, setText] = useState('')
  const { busy, submit, refuse, errorAt, failure } = useSubmit({
    fields: ['body'],
    texts: { 'body:required': t('problem') },
  })
  const draft = useDraft(`shift-note:${locationId}`, { state: text, onState: setText })

  async function save(event: FormEvent) {
    event.preventDefault()
    if (text.trim() === '') return refuse('body')
    const sent = await submit('POST', '/api/shift-notes', { location_id: locationId, body: text })
    if (!sent.ok) return
    setText('')
    draft.saved()
    say(t('saved'))
    router.refresh()
  }

  return (
    <form onSubmit={save} noValidate>
      {draft.node}
      <Textarea
        label={t('write')}
        placeholder={t('placeholder')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={errorAt('body') ?? failure}
        maxLength={2000}
        rows={3}
      />
      <FormActions>
        <Button type="submit" variant="default" loading={busy}>
          {t('save')}
        </Button>
      </FormActions>
    </form>
  )
}

/** The form of a note that stands there already. */
export function EditNote({ id, body, onClose }: { id: string; body: string; onClose: () => void }) {
  const t = useTranslations('client.morning')
  const router = useRouter()
  const [text, setText] = useState(body)
  const { busy, submit, refuse, errorAt, failure } = useSubmit({
    fields: ['body'],
    texts: { 'body:required': t('problem') },
  })
  const draft = useDraft(`own-note:${id}`, { state: text, onState: setText })

  async function save(event: FormEvent) {
    event.preventDefault()
    if (text.trim() === '') return refuse('body')
    const sent = await submit('PATCH', `/api/shift-notes/${id}`, { body: text })
    if (!sent.ok) return
    draft.saved()
    onClose()
    router.refresh()
  }

  return (
    <form onSubmit={save} noValidate>
      {draft.node}
      <Textarea
        label={t('editTitle')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={errorAt('body') ?? failure}
        maxLength={2000}
        rows={4}
        data-autofocus
      />
      <SubmitButtons busy={busy} onCancel={draft.cancel(onClose)} />
    </form>
  )
}
