'use client'
import { Button } from '@mantine/core'
import { IconArrowDown, IconRotateClockwise } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { Fragment, lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Mark } from '@/components/ui/mark'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { Failure, Reply, Turn } from './conversation'
import classes from './conversation-log.module.css'
import { Sources } from './sources'
import { useStickToEnd } from './use-stick-to-end'

// The parser is loaded while the first reply is on its way; until then the reply is plain text.
const loadMarkdown = () => import('./markdown/markdown')
const Markdown = lazy(loadMarkdown)

interface ConversationLogProps {
  turns: readonly Turn[]
  partial: string | null
  onRetry: () => void
  /** A notice at the end. */
  children: ReactNode
}

/** The conversation so far. It scrolls with new text unless the reader has scrolled up. */
export function ConversationLog({ turns, partial, onRetry, children }: ConversationLogProps) {
  const t = useTranslations('client.assistant')
  const busy = partial !== null
  const grown = `${partial?.length} ${turns.at(-1)?.reply?.state} ${children === null}`
  const { ref, atEnd, onScroll, toEnd } = useStickToEnd(grown, turns.at(-1)?.id)
  return (
    <div className={classes.frame}>
      <section
        ref={ref}
        onScroll={onScroll}
        className={classes.log}
        role="log"
        aria-label={t('conversation')}
        aria-busy={busy}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable
        tabIndex={0}
      >
        <ol className={classes.list}>
          {turns.map((turn, index) => (
            <Fragment key={turn.id}>
              <Question text={turn.question} />
              <Answer
                reply={turn.reply}
                partial={partial ?? ''}
                onRetry={index === turns.length - 1 && !busy ? onRetry : undefined}
              />
            </Fragment>
          ))}
        </ol>
        {children}
      </section>
      {atEnd ? null : (
        <Button
          className={classes.toEnd}
          variant="default"
          size="compact-sm"
          radius="xl"
          onClick={toEnd}
          leftSection={<IconArrowDown size={14} aria-hidden />}
        >
          {t('toEnd')}
        </Button>
      )}
    </div>
  )
}

/** The question as it was typed. */
function Question({ text }: { text: string }) {
  const t = useTranslations('client.assistant')
  return (
    <li className={classes.question}>
      <VisuallyHidden>{t('you')}: </VisuallyHidden>
      {text}
    </li>
  )
}

interface AnswerProps {
  /** Absent while the reply is being written. */
  reply: Reply | undefined
  /** The text received so far. */
  partial: string
  /** Absent where the question cannot be sent again. */
  onRetry: (() => void) | undefined
}

/** The reply, its sources, and how it ended if not normally. */
function Answer({ reply, partial, onRetry }: AnswerProps) {
  const t = useTranslations('client.assistant')
  const text = reply ? reply.text : partial
  return (
    <li className={classes.answer}>
      <Mark size={26} />
      <div className={classes.body}>
        <VisuallyHidden>{t('title')}: </VisuallyHidden>
        {text ? (
          <Suspense fallback={<p className={classes.plain}>{text}</p>}>
            <Markdown text={text} tableLabel={t('table')} />
          </Suspense>
        ) : null}
        {reply ? <AnswerEnd reply={reply} onRetry={onRetry} /> : text ? null : <Writing />}
        {reply ? <Sources sources={reply.sources} /> : null}
      </div>
    </li>
  )
}

function Writing() {
  useEffect(() => {
    // A failure shows when the reply is rendered.
    loadMarkdown().catch(() => {})
  }, [])
  return (
    <div className={classes.writing} aria-hidden>
      <span />
      <span />
      <span />
    </div>
  )
}

/** How a reply ended, if not normally, with a button to ask again. */
function AnswerEnd({ reply, onRetry }: { reply: Reply; onRetry: (() => void) | undefined }) {
  const t = useTranslations('client.assistant')
  if (reply.state === 'done') return null
  const retry = onRetry ? (
    <Button
      variant="default"
      size="compact-sm"
      onClick={onRetry}
      leftSection={<IconRotateClockwise size={14} aria-hidden />}
    >
      {t('retry')}
    </Button>
  ) : null
  if (reply.state === 'stopped')
    return (
      <div className={classes.ending}>
        <p>{t('stopped')}</p>
        {retry}
      </div>
    )
  return (
    <div className={classes.failure} role="alert">
      <FailureText failure={reply.failure ?? { reason: 'server' }} />
      {retry}
    </div>
  )
}

function FailureText({ failure: { reason, detail = '', seconds = 60, until } }: { failure: Failure }) {
  const t = useTranslations('client.assistant.failure')
  const format = useFormatter()
  const resets = until ? format.dateTime(new Date(until), 'time') : ''
  return <p>{t(reason, { detail, seconds, resets })}</p>
}
