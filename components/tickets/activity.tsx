import { useFormatter, useTranslations } from 'next-intl'
import type { Ticket, TicketComment } from '@/lib/tickets/schema'
import classes from './activity.module.css'

interface ActivityProps {
  ticket: Ticket
  comments: TicketComment[]
  /** Whether what happened to the ticket itself is told, too: with the first comments. */
  withEvents: boolean
  timezone: string
}

interface Entry {
  key: string
  at: string
  who: string | null
  text: string
  isComment: boolean
}

/** What was said about a ticket and what happened to it, the oldest first. */
export function Activity({ ticket, comments, withEvents, timezone }: ActivityProps) {
  const t = useTranslations('tickets')
  const format = useFormatter()
  const said = comments.map(
    ({ id, created_at, author_name, body }): Entry => ({
      ...{ key: id, at: created_at, who: author_name, text: body, isComment: true },
    }),
  )
  const event = (
    name: 'opened' | 'notified' | 'reminded' | 'solved',
    at: string | null,
    who: string | null = null,
  ) => (at === null ? [] : [{ key: name, at, who, text: t(`activity.${name}`), isComment: false }])
  const events: Entry[] = withEvents
    ? [
        ...event('opened', ticket.created_at, ticket.requester_name),
        ...event('notified', ticket.notified_at),
        ...event('reminded', ticket.sla_reminded_at),
        ...event('solved', ticket.resolved_at),
      ]
    : []
  const entries = [...events, ...said].sort((a, b) => (a.at < b.at ? -1 : 1))
  return (
    <ol className={classes.list} aria-label={t('activity.title')}>
      {entries.map(({ key, at, who, text, isComment }) => (
        <li key={key} className={classes.entry} data-comment={isComment || undefined}>
          <p className={classes.head}>
            {who ? <strong>{who}</strong> : null} {isComment ? null : text}{' '}
            <time dateTime={at}>{format.dateTime(new Date(at), 'instant', { timeZone: timezone })}</time>
          </p>
          {isComment ? <p className={classes.text}>{text}</p> : null}
        </li>
      ))}
    </ol>
  )
}
