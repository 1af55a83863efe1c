'use client'
import { Button, Textarea } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useReopened } from '@/components/forms/draft-owner'
import { SubmitButtons } from '@/components/forms/submit-buttons'
import { useChange } from '@/components/forms/use-change'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import classes from './morning.module.css'

/** A note by this person: editable in place, with a button to delete it. */
export function OwnNote({ id, body }: { id: string; body: string }) {
  const t = useTranslations('client.morning')
  const change = useChange()
  const [editing, setEditing] = useState(false)
  const [removing, setRemoving] = useState(false)
  useReopened(`own-note:${id}`, () => setEditing(true))

  if (editing) return <EditNote id={id} body={body} onClose={() => setEditing(false)} />
  return (
    <div className={classes.own}>
      <p className={classes.text}>{body}</p>
      <Button variant="subtle" size="compact-sm" onClick={() => setEditing(true)}>
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

function EditNote({ id, body, onClose }: { id: string; body: string; onClose: () => void }) {
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
