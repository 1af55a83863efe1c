import type { BadgeTone } from '@/components/ui/badge'
import type { Ticket } from '@/lib/tickets/schema'

/** How a ticket stands to its deadline: time left, overdue, or solved in time or late. */
export interface Sla {
  kind: 'left' | 'overdue' | 'met' | 'missed'
  /** Minutes left, over, or late; none when it was met. */
  minutes: number
  tone: BadgeTone
}

const MINUTE_MS = 60_000
// The last quarter of the time is when the house sends its reminder, too.
const NEAR = 0.25

/** Reads it at an instant. Works on whole minutes, rounded towards the worse. */
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

/** Minutes as days, hours and minutes, and which two of them to say. */
export function durationOf(minutes: number) {
  const days = Math.floor(minutes / 1440)
  const hours = Math.floor(minutes / 60) % 24
  const unit = days > 0 ? 'days' : hours > 0 ? 'hours' : minutes > 0 ? 'minutes' : 'moment'
  return { unit, days, hours, minutes: minutes % 60 } as const
}
