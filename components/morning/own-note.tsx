'use client'
import { Button } from '@mantine/core'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useReopened } from '@/components/forms/draft-owner'
import { useChange } from '@/components/forms/use-change'
import classes from './morning.module.css'

const ConfirmDialog = dynamic(() => import('@/components/ui/confirm-dialog').then((m) => m.ConfirmDialog), {
  ssr: false,
})
// Without a connection a form that does not load must not take the service's list away.
const Nothing = () => null
const EditNote = dynamic(() => import('./note-forms').then((m) => m.EditNote).catch(() => Nothing), {
  ssr: false,
})
/** A form for a shift note. It loads after the service's list, below which it is folded. */
export const NewNote = dynamic(() => import('./note-forms').then((m) => m.NewNote).catch(() => Nothing), {
  ssr: false,
})

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
