import { useTranslations } from 'next-intl'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import type { Message } from '@/lib/messaging/schema'

const TONES: Record<Message['status'], BadgeTone> = {
  queued: 'neutral',
  sending: 'blue',
  sent: 'blue',
  delivered: 'green',
  failed: 'red',
  skipped: 'neutral',
  unknown: 'amber',
}

/** The outcome of a message, in words and by colour. A message that went to the sandbox reads "simulated". */
export function MessageStatusBadge({ message }: { message: Pick<Message, 'status' | 'simulated'> }) {
  const t = useTranslations('messages')
  const { status } = message
  const simulated = message.simulated && (status === 'sent' || status === 'delivered')
  return (
    <Badge tone={simulated ? 'neutral' : TONES[status]} dot>
      {simulated ? t('simulated') : t(`status.${status}`)}
    </Badge>
  )
}
