'use client'
import { Button, Textarea } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { useToast } from '@/components/ui/toast'
import { MAX_REPLY } from '@/lib/conversations/limits'
import type { ReplyObstacle } from '@/lib/conversations/obstacles'
import { smsLength } from '@/lib/messaging/sms-length'
import classes from './conversations.module.css'

interface ReplyBoxProps {
  id: string
  channel: 'sms' | 'whatsapp'
  /** Why nothing can be written back; null: it can. */
  obstacle: ReplyObstacle | null
}

/** The box to answer in; where that cannot be, the reason. */
export function ReplyBox({ id, channel, obstacle }: ReplyBoxProps) {
  const t = useTranslations('client.conversations')
  const say = useToast()
  const router = useRouter()
  const [text, setText] = useState('')
  const { form, busy, submit, refuse, errorAt, failure } = useSubmit({
    fields: ['text'],
    texts: { 'text:required': t('problem') },
  })
  const draft = useDraft(`conversation-reply:${id}`, { state: text, onState: setText })
  const { characters, segments } = smsLength(text.trim())

  async function save(event: FormEvent) {
    event.preventDefault()
    if (text.trim() === '') return refuse('text')
    const sent = await submit('POST', `/api/conversations/${id}/reply`, { text })
    if (!sent.ok) return
    draft.saved()
    setText('')
    say(t('sent'))
    router.refresh()
  }

  if (obstacle) return <p className={classes.obstacle}>{t(`obstacles.${obstacle}`)}</p>
  return (
    <form ref={form} onSubmit={save} noValidate className={classes.box}>
      {draft.node}
      <Textarea
        label={t('reply')}
        description={
          channel === 'sms' ? t('smsLength', { characters, segments }) : t('length', { characters })
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={errorAt('text') ?? failure}
        maxLength={MAX_REPLY}
        rows={3}
      />
      <Button type="submit" loading={busy}>
        {t('send')}
      </Button>
    </form>
  )
}
