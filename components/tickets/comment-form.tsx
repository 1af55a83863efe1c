'use client'
import { Button, Textarea } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { FormActions } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import classes from './ticket-detail.module.css'

/** The form for a comment; its text stays until it is saved. */
export function CommentForm({ ticketId }: { ticketId: string }) {
  const t = useTranslations('client.tickets')
  const say = useToast()
  const router = useRouter()
  const [text, setText] = useState('')
  const { busy, submit, refuse, errorAt, failure } = useSubmit({
    fields: ['body'],
    texts: { 'body:required': t('problems.comment') },
  })

  const draft = useDraft(`comment:${ticketId}`, { state: text, onState: setText })

  async function save(event: FormEvent) {
    event.preventDefault()
    if (text.trim() === '') return refuse('body')
    const sent = await submit('POST', `/api/tickets/${ticketId}/comments`, { body: text })
    if (!sent.ok) return
    setText('')
    draft.saved()
    say(t('commented'))
    router.refresh()
  }

  return (
    <form onSubmit={save} noValidate className={classes.form}>
      {draft.node}
      <Textarea
        label={t('comment')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={errorAt('body') ?? failure}
        maxLength={5000}
        rows={3}
      />
      <FormActions>
        <Button type="submit" loading={busy}>
          {t('commentAction')}
        </Button>
      </FormActions>
    </form>
  )
}
