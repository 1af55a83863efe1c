'use client'
import { Button } from '@mantine/core'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useReopened } from '@/components/forms/draft-owner'

const ReplyForm = dynamic(() => import('./reply-form'), { ssr: false })

interface ReplyButtonProps {
  id: string
  guest: string
  words: string | null
}

/** Opens the reply to an answer; again after a reload in the midst of writing it. */
export function ReplyButton(props: ReplyButtonProps) {
  const t = useTranslations('client.feedback')
  const [open, setOpen] = useState(false)
  useReopened(`feedback-reply:${props.id}`, () => setOpen(true))
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => setOpen(true)}
        aria-label={t('replyTo', { guest: props.guest })}
      >
        {t('action')}
      </Button>
      {open ? <ReplyForm {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
