'use client'
import { Button, Textarea } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Dialog } from '@/components/ui/dialog'
import { FormActions, FormFields } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import { MAX_REPLY } from '@/lib/feedback/limits'
import type { Channel } from '@/lib/messaging/channels'
import classes from './feedback.module.css'

interface ReplyFormProps {
  id: string
  title: string
  words: string | null
  onClose: () => void
}

/** What the guest said, and the reply: written by hand or proposed by the assistant, sent only by a person. */
export default function ReplyForm({ id, title, words, onClose }: ReplyFormProps) {
  const t = useTranslations('client.feedback')
  const form = useTranslations('client.form')
  const errors = useErrorText()
  const say = useToast()
  const router = useRouter()
  const [reply, setReply] = useState('')
  const { busy, submit, refuse, errorAt, failure } = useSubmit({
    fields: ['reply'],
    texts: { 'reply:required': t('problem') },
  })
  const draft = useDraft(`feedback-reply:${id}`, { state: reply, onState: setReply })
  const [proposing, setProposing] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const closed = useRef<AbortController | null>(null)
  useEffect(() => {
    closed.current = new AbortController()
    return () => closed.current?.abort()
  }, [])

  async function propose() {
    setProposing(true)
    setRefused(null)
    const asked = await send<{ reply: string }>('POST', `/api/feedback/${id}/draft`, undefined, {
      signal: closed.current?.signal,
      stay: true,
    })
    if (closed.current?.signal.aborted) return
    setProposing(false)
    if (asked.ok) setReply(asked.data.reply)
    else setRefused(errors.ofRefusal(asked))
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    if (reply.trim() === '') return refuse('reply')
    const sent = await submit<{ channel: Channel }>('POST', `/api/feedback/${id}/reply`, { reply })
    if (!sent.ok) return
    draft.saved()
    say(t(`sent.${sent.data.channel}`))
    router.refresh()
    onClose()
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={save} noValidate>
        {draft.node}
        <FormFields>
          {words ? <blockquote className={classes.quoted}>{words}</blockquote> : null}
          <Textarea
            label={t('reply')}
            description={t('hint')}
            value={reply}
            onChange={(event) => setReply(event.currentTarget.value)}
            error={errorAt('reply') ?? failure ?? refused}
            maxLength={MAX_REPLY}
            rows={7}
            disabled={proposing}
            data-autofocus
          />
          <Button
            variant="default"
            onClick={propose}
            loading={proposing}
            disabled={reply.trim() !== ''}
            leftSection={<IconSparkles size={16} aria-hidden />}
          >
            {t('propose')}
          </Button>
        </FormFields>
        <FormActions>
          <Button variant="default" onClick={draft.cancel(onClose)}>
            {form('cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={proposing}>
            {t('send')}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
