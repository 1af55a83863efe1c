import { useTranslations } from 'next-intl'
import { Mark } from '@/components/shell/mark'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { AnswerEnd } from './answer-end'
import classes from './conversation-log.module.css'
import { Markdown } from './markdown/markdown'
import { Sources } from './sources'
import type { Reply } from './turn'

interface AnswerProps {
  /** Absent while the answer is being written. */
  reply: Reply | undefined
  /** What has come of it so far. */
  partial: string
  /** Absent where asking again makes no sense. */
  onRetry: (() => void) | undefined
}

/** What the assistant says, where it has it from, and how it ended when not well. */
export function Answer({ reply, partial, onRetry }: AnswerProps) {
  const t = useTranslations('client.assistant')
  const text = reply ? reply.text : partial
  return (
    <li className={classes.answer}>
      <Mark size={26} />
      <div className={classes.body}>
        <VisuallyHidden>{t('title')}: </VisuallyHidden>
        {text ? <Markdown text={text} tableLabel={t('table')} /> : null}
        {reply ? <AnswerEnd reply={reply} onRetry={onRetry} /> : text ? null : <Writing />}
        {reply ? <Sources sources={reply.sources} /> : null}
      </div>
    </li>
  )
}

function Writing() {
  return (
    <div className={classes.writing} aria-hidden>
      <span />
      <span />
      <span />
    </div>
  )
}
