import { useNow, useTranslations } from 'next-intl'
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

/** The priority of a ticket. */
export function PriorityBadge({ priority }: { priority: Ticket['priority'] }) {
  const t = useTranslations('tickets.priority')
  return (
    <Badge tone={PRIORITY_TONES[priority]} dot>
      {t(priority)}
    </Badge>
  )
}

/** The status of a ticket. */
export function TicketStatusBadge({ status }: { status: Ticket['status'] }) {
  const t = useTranslations('tickets.status')
  return <Badge tone={STATUS_TONES[status]}>{t(status)}</Badge>
}

/** The time left until a ticket's deadline, or since it passed. */
export function SlaBadge({ ticket }: { ticket: Ticket }) {
  const t = useTranslations('tickets')
  const { kind, minutes, tone } = slaOf(ticket, useNow())
  const { unit, ...parts } = durationOf(minutes)
  return <Badge tone={tone}>{t(`sla.${kind}`, { time: t(`duration.${unit}`, parts) })}</Badge>
}

/** The state of a ticket's deadline: time left, overdue, or resolved in time or late. */
interface Sla {
  kind: 'left' | 'overdue' | 'met' | 'missed'
  /** Minutes left, overdue or late; 0 when the deadline was met. */
  minutes: number
  tone: BadgeTone
}

const MINUTE_MS = 60_000
// The reminder is also sent in the last quarter of the time.
const NEAR = 0.25

/** The state at `now`, in whole minutes, rounded to the less favourable side. */
export function slaOf(ticket: Pick<Ticket, 'sla_due_at' | 'created_at' | 'resolved_at'>, now: Date): Sla {
  const due = Date.parse(ticket.sla_due_at)
  if (ticket.resolved_at !== null) {
    const late = Date.parse(ticket.resolved_at) - due
    return late > 0
      ? { kind: 'missed', minutes: Math.ceil(late / MINUTE_MS), tone: 'neutral' }
      : { kind: 'met', minutes: 0, tone: 'green' }
  }
  const left = due - now.getTime()
  if (left <= 0)
    return { kind: 'overdue', minutes: Math.floor((now.getTime() - due) / MINUTE_MS), tone: 'red' }
  const isNear = left <= (due - Date.parse(ticket.created_at)) * NEAR
  return { kind: 'left', minutes: Math.floor(left / MINUTE_MS), tone: isNear ? 'amber' : 'neutral' }
}

/** Splits minutes into days, hours and minutes, and names the largest unit to show. */
export function durationOf(minutes: number) {
  const days = Math.floor(minutes / 1440)
  const hours = Math.floor(minutes / 60) % 24
  const unit = days > 0 ? 'days' : hours > 0 ? 'hours' : minutes > 0 ? 'minutes' : 'moment'
  return { unit, days, hours, minutes: minutes % 60 } as const
}
