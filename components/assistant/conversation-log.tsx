'use client'
import { Button } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { Fragment, type ReactNode } from 'react'
import { Answer } from './answer'
import classes from './conversation-log.module.css'
import { Question } from './question'
import type { Turn } from './turn'
import { useStickToEnd } from './use-stick-to-end'

interface ConversationLogProps {
  turns: readonly Turn[]
  partial: string | null
  onRetry: () => void
  /** A notice at the end. */
  children: ReactNode
}

/** The conversation so far. New words keep in sight unless the reader has scrolled up. */
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus
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
