import { useTranslations } from 'next-intl'
import { RowLink } from '@/components/ui/row-link'
import type { Ticket } from '@/lib/tickets/schema'
import { SlaBadge } from './sla-badge'
import { PriorityBadge } from './ticket-badges'
import classes from './ticket-card.module.css'
import type { Option } from './ticket-choices'
import { TicketSelect } from './ticket-select'

interface TicketCardProps {
  ticket: Ticket
  location: string | undefined
  statuses: Option[]
}

/** A ticket on the board. */
export function TicketCard({ ticket, location, statuses }: TicketCardProps) {
  const t = useTranslations('tickets')
  const { id, number, subject, priority, status, assignee_name } = ticket
  return (
    <article className={classes.card} aria-labelledby={`ticket-${id}`}>
      <div className={classes.top}>
        <span className={classes.number}>#{number}</span>
        <PriorityBadge priority={priority} />
      </div>
      <h3 className={classes.subject} id={`ticket-${id}`}>
        <RowLink href={`/tickets/${id}`}>{subject}</RowLink>
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
