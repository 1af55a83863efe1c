'use client'
import { Button, Textarea } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { formProblem } from '@/components/settings/problem'
import { send } from '@/components/settings/send'
import { FormActions } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import classes from './activity.module.css'

/** Where a comment is written; the text stays until it is saved. */
export function CommentForm({ ticketId }: { ticketId: string }) {
  const t = useTranslations('client.tickets')
  const form = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function save(event: FormEvent) {
    event.preventDefault()
    if (text.trim() === '') return setFailure(t('problems.comment'))
    setBusy(true)
    const sent = await send('POST', `/api/tickets/${ticketId}/comments`, { body: text })
    setBusy(false)
    if (!sent.ok) return setFailure(form(formProblem(sent.status)))
    setFailure(null)
    setText('')
    say(t('commented'))
    router.refresh()
  }

  return (
    <form onSubmit={save} noValidate className={classes.form}>
      <Textarea
        label={t('comment')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={failure}
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
