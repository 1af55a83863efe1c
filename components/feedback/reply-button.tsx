'use client'
import { Button } from '@mantine/core'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useReopened } from '@/components/forms/draft-owner'

const ReplyForm = dynamic(() => import('./reply-form'), { ssr: false })

interface ReplyButtonProps {
  id: string
  guest: string | null
  words: string | null
}

/** Opens the reply to an answer; again after a reload in the midst of writing it. */
export function ReplyButton({ id, guest, words }: ReplyButtonProps) {
  const t = useTranslations('client.feedback')
  const title = guest ? t('replyTo', { guest }) : t('replyToUnnamed')
  const [open, setOpen] = useState(false)
  useReopened(`feedback-reply:${id}`, () => setOpen(true))
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setOpen(true)} aria-label={title}>
        {t('action')}
      </Button>
      {open ? <ReplyForm id={id} title={title} words={words} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
