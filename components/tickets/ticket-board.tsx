import { useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import type { BoardColumn } from './load-board'
import classes from './ticket-board.module.css'
import { TicketCard } from './ticket-card'
import type { Option } from './ticket-choices'

interface TicketBoardProps {
  columns: BoardColumn[]
  locations: ReadonlyMap<string, string>
  statuses: Option[]
  /** Where all tickets of a status are listed. */
  listHref: (status: BoardColumn['status']) => string
}

/** The tickets by status, side by side; on a phone one status under the other. */
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
