import { useFormatter, useTranslations } from 'next-intl'
import type { Ticket, TicketActivity } from '@/lib/tickets/schema'
import classes from './ticket-detail.module.css'

interface ActivityProps {
  ticket: Ticket
  entries: TicketActivity[]
  /** Whether to include the entries made from the ticket itself (opening, notices), which only the first page has. */
  withEvents: boolean
  timezone: string
}

/** What happened to a ticket, oldest first: its opening, comments, changes and notices. */
export function Activity({ ticket, entries, withEvents, timezone }: ActivityProps) {
  const t = useTranslations('tickets.activity')
  const say = useChangeText(timezone)
  const events = withEvents ? eventsOf(ticket) : []
  const lines = [
    ...events.map(({ name, at, who }) => ({ key: name, at, who, text: t(name), comment: null })),
    ...entries.map((entry) =>
      entry.kind === 'comment'
        ? { key: entry.id, at: entry.at, who: entry.author_name, text: null, comment: entry.details.body }
        : {
            key: entry.id,
            at: entry.at,
            who: entry.author_name ?? t('nobody'),
            text: say(entry.details),
            comment: null,
          },
    ),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  return (
    <ol className={classes.list} aria-label={t('title')}>
      {lines.map(({ key, at, who, text, comment }) => (
        <li key={key} className={classes.entry} data-comment={comment !== null || undefined}>
          <p className={classes.head}>
            {who ? <strong>{who}</strong> : null} {text} <Instant at={at} timezone={timezone} />
          </p>
          {comment === null ? null : <p className={classes.text}>{comment}</p>}
        </li>
      ))}
    </ol>
  )
}

function Instant({ at, timezone }: { at: string; timezone: string }) {
  const format = useFormatter()
  return <time dateTime={at}>{format.dateTime(new Date(at), 'instant', { timeZone: timezone })}</time>
}

/** The entries made from the ticket itself: who opened it, and when its assignee was last notified. */
function eventsOf({ created_at, requester_name, notified_at, sla_reminded_at }: Ticket) {
  const events = [
    { name: 'opened', at: created_at, who: requester_name },
    { name: 'notified', at: notified_at, who: null },
    { name: 'reminded', at: sla_reminded_at, who: null },
  ] as const
  return events.flatMap(({ name, at, who }) => (at === null ? [] : [{ name, at, who }]))
}

type Change = Extract<TicketActivity, { kind: 'change' }>['details']
const OVER = ['resolved', 'closed']

/** The words for a change, which follow the author's name. */
function useChangeText(timezone: string): (change: Change) => string {
  const t = useTranslations('tickets')
  const format = useFormatter()
  const coded = (group: 'status' | 'priority', code: string | null) => {
    const key = `${group}.${code}` as Parameters<typeof t>[0]
    return t.has(key) ? t(key) : (code ?? '')
  }
  const instant = (at: string | null) =>
    at === null ? '' : format.dateTime(new Date(at), 'instant', { timeZone: timezone })

  return ({ field, before, after }) => {
    switch (field) {
      case 'status': {
        const values = { before: coded('status', before), after: coded('status', after) }
        if (after === 'closed') return t('activity.closed')
        if (after === 'resolved') return t('activity.resolved')
        return t(OVER.includes(before ?? '') ? 'activity.reopened' : 'activity.status', values)
      }
      case 'priority':
        return t('activity.priority', { before: coded(field, before), after: coded(field, after) })
      case 'due':
        return t('activity.due', { before: instant(before), after: instant(after) })
      case 'assignee':
        if (after === null) return t('activity.unassigned', { before: before ?? t('unknownPerson') })
        return before === null
          ? t('activity.assigned', { after })
          : t('activity.reassigned', { before, after })
      case 'location':
        return t('activity.location', { before: before ?? t('wholeGroup'), after: after ?? t('wholeGroup') })
      case 'subject':
        return t('activity.subject', { before: before ?? '', after: after ?? '' })
    }
  }
}
