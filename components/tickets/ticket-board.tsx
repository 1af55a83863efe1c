import { useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import type { Ticket } from '@/lib/tickets/schema'
import type { BoardColumn, Option } from './load-tickets'
import { PriorityBadge, SlaBadge } from './ticket-badges'
import classes from './ticket-board.module.css'
import { TicketSelect } from './ticket-select'

interface TicketBoardProps {
  columns: BoardColumn[]
  locations: ReadonlyMap<string, string>
  statuses: Option[]
  /** The address of the list of a status. */
  listHref: (status: BoardColumn['status']) => string
}

/** The tickets in columns by status; on a phone the columns are stacked. */
export function TicketBoard({ columns, locations, statuses, listHref }: TicketBoardProps) {
  const t = useTranslations('tickets')
  return (
    <div className={classes.board}>
      {columns.map(({ status, tickets, hasMore }) => (
        <section key={status} className={classes.column} aria-labelledby={`column-${status}`}>
          <h2 className={classes.head} id={`column-${status}`}>
            {t(`status.${status}`)}
            <span className={classes.count}>
              {t('count', { count: tickets.length, more: hasMore ? 'yes' : 'no' })}
            </span>
          </h2>
          {tickets.length === 0 ? <p className={classes.none}>{t('columnEmpty')}</p> : null}
          {tickets.map((ticket) => (
            <TicketCard
              key={ticket.id}
              ticket={ticket}
              location={locations.get(ticket.location_id ?? '')}
              statuses={statuses}
            />
          ))}
          {hasMore ? (
            <Link className={classes.more} href={listHref(status)} prefetch={false}>
              {t('seeAll', { status: t(`status.${status}`) })}
            </Link>
          ) : null}
        </section>
      ))}
    </div>
  )
}

interface TicketCardProps {
  ticket: Ticket
  location: string | undefined
  statuses: Option[]
}

/** A ticket on the board. */
function TicketCard({ ticket, location, statuses }: TicketCardProps) {
  const t = useTranslations('tickets')
  const { id, number, subject, priority, status, assignee_name } = ticket
  return (
    <article className={classes.card} aria-labelledby={`ticket-${id}`}>
      <div className={classes.top}>
        <span className={classes.number}>#{number}</span>
        <PriorityBadge priority={priority} />
      </div>
      <h3 className={classes.subject} id={`ticket-${id}`}>
        <Link href={`/tickets/${id}`} prefetch={false}>
          {subject}
        </Link>
      </h3>
      <SlaBadge ticket={ticket} />
      <p className={classes.who}>
        {assignee_name ?? t('nobody')}
        {location ? ` · ${location}` : null}
      </p>
      <TicketSelect
        id={id}
        number={number}
        field="status"
        label={t('columns.status')}
        hideLabel
        value={status}
        options={statuses}
      />
    </article>
  )
}
