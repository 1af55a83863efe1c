import { useTranslations } from 'next-intl'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import type { Ticket } from '@/lib/tickets/schema'

const PRIORITY_TONES: Record<Ticket['priority'], BadgeTone> = {
  low: 'neutral',
  medium: 'blue',
  high: 'orange',
  urgent: 'red',
}
const STATUS_TONES: Record<Ticket['status'], BadgeTone> = {
  open: 'blue',
  in_progress: 'accent',
  waiting: 'amber',
  resolved: 'green',
  closed: 'neutral',
}

/** How urgent a ticket is. */
export function PriorityBadge({ priority }: { priority: Ticket['priority'] }) {
  const t = useTranslations('tickets.priority')
  return (
    <Badge tone={PRIORITY_TONES[priority]} dot>
      {t(priority)}
    </Badge>
  )
}

/** Where a ticket stands. */
export function TicketStatusBadge({ status }: { status: Ticket['status'] }) {
  const t = useTranslations('tickets.status')
  return <Badge tone={STATUS_TONES[status]}>{t(status)}</Badge>
}
