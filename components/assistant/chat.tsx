'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useRef } from 'react'
import { PageHeader } from '@/components/ui/page-header'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import classes from './chat.module.css'
import { Composer } from './composer'
import { ConversationLog } from './conversation-log'
import { NewConversation } from './new-conversation'
import type { Suggestion } from './suggested-questions'
import { SuggestedQuestions } from './suggested-questions'
import { useChat } from './use-chat'

interface ChatProps {
  userId: string
  configured: boolean
  suggestions: readonly Suggestion[]
  /** Shown when no model is configured. */
  notConfigured: ReactNode
}

/** The assistant's page: the conversation or suggested questions, above the field for the next question. */
export function Chat({ userId, configured, suggestions, notConfigured }: ChatProps) {
  const t = useTranslations('client.assistant')
  const chat = useChat(userId)
  const field = useRef<HTMLTextAreaElement>(null)
  const busy = chat.partial !== null
  const notice = configured && !chat.unconfigured ? null : notConfigured

  function send(question: string) {
    chat.send(question)
    focusField()
  }

  /** False on a touch screen, where focus opens the keyboard. */
  function focusField() {
    if (window.matchMedia('(pointer: fine)').matches) field.current?.focus()
  }

  return (
    <div className={classes.page}>
      <PageHeader title={t('title')} subtitle={t('subtitle')} />
      <div className={classes.surface}>
        {chat.turns.length > 0 ? (
          <>
            <NewConversation
              count={chat.turns.length}
              onConfirm={() => {
                chat.clear()
                focusField()
              }}
            />
            <ConversationLog
              turns={chat.turns}
              partial={chat.partial}
              onRetry={() => {
                chat.retry()
                focusField()
              }}
            >
              {notice}
            </ConversationLog>
          </>
        ) : (
          <div className={classes.empty}>
            {notice ?? <SuggestedQuestions suggestions={suggestions} onChoose={send} />}
          </div>
        )}
        {configured ? (
          <Composer
            ref={field}
            draft={chat.draft}
            busy={busy}
            onType={chat.setDraft}
            onSend={() => send(chat.draft)}
            onStop={() => {
              chat.stop()
              focusField()
            }}
          />
        ) : null}
      </div>
      <VisuallyHidden>
        <span role="status">{busy ? t('writing') : null}</span>
      </VisuallyHidden>
    </div>
  )
}
