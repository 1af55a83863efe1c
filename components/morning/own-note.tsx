'use client'
import { Button, Textarea } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { SubmitButtons } from '@/components/forms/submit-buttons'
import { useChange } from '@/components/forms/use-change'
import { useSubmit } from '@/components/forms/use-submit'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import classes from './morning.module.css'

/** A note by this person: editable in place, with a button to delete it. */
export function OwnNote({ id, body }: { id: string; body: string }) {
  const t = useTranslations('client.morning')
  const router = useRouter()
  const change = useChange()
  const [text, setText] = useState<string | null>(null)
  const [removing, setRemoving] = useState(false)
  const { busy, submit, refuse, errorAt, failure } = useSubmit({
    fields: ['body'],
    texts: { 'body:required': t('problem') },
  })

  async function save(event: FormEvent) {
    event.preventDefault()
    if (text === null || text.trim() === '') return refuse('body')
    const sent = await submit('PATCH', `/api/shift-notes/${id}`, { body: text })
    if (!sent.ok) return
    setText(null)
    router.refresh()
  }

  if (text !== null)
    return (
      <form onSubmit={save} noValidate>
        <Textarea
          label={t('editTitle')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={errorAt('body') ?? failure}
          maxLength={2000}
          rows={4}
          data-autofocus
        />
        <SubmitButtons busy={busy} onCancel={() => setText(null)} />
      </form>
    )
  return (
    <div className={classes.own}>
      <p className={classes.text}>{body}</p>
      <Button variant="subtle" size="compact-sm" onClick={() => setText(body)}>
        {t('edit')}
      </Button>
      <Button variant="subtle" size="compact-sm" color="red" onClick={() => setRemoving(true)}>
        {t('remove')}
      </Button>
      {removing ? (
        <ConfirmDialog
          title={t('removeTitle')}
          text={t('removeText')}
          action={t('remove')}
          onConfirm={() => change({ method: 'DELETE', path: `/api/shift-notes/${id}`, done: t('removed') })}
          onClose={() => setRemoving(false)}
        />
      ) : null}
    </div>
  )
}
