import { Button } from '@mantine/core'
import { IconRotateClockwise } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import classes from './conversation-log.module.css'
import type { Failure, Reply } from './turn'

/** How an answer ended, when not well, and the way to ask again. */
export function AnswerEnd({ reply, onRetry }: { reply: Reply; onRetry: (() => void) | undefined }) {
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
