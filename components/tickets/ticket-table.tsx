import { useTranslations } from 'next-intl'
import { DataTable } from '@/components/ui/data-table'
import { Link } from '@/components/ui/link'
import type { Ticket } from '@/lib/tickets/schema'
import { PriorityBadge, SlaBadge, TicketStatusBadge } from './ticket-badges'
import classes from './ticket-table.module.css'

interface TicketTableProps {
  tickets: Ticket[]
  locations: ReadonlyMap<string, string>
}

/** Tickets as a list, newest first. */
export function TicketTable({ tickets, locations }: TicketTableProps) {
  const t = useTranslations('tickets')
  return (
    <DataTable caption={t('list')}>
      <thead>
        <tr>
          <th scope="col">{t('columns.subject')}</th>
          <th scope="col" data-wide>
            {t('columns.status')}
          </th>
          <th scope="col">{t('columns.priority')}</th>
          <th scope="col" data-wide="md">
            {t('columns.sla')}
          </th>
          <th scope="col" data-wide>
            {t('columns.assignee')}
          </th>
          <th scope="col" data-wide="md">
            {t('columns.requester')}
          </th>
          <th scope="col" data-wide="md">
            {t('columns.location')}
          </th>
        </tr>
      </thead>
      <tbody>
        {tickets.map((ticket) => {
          const { id, number, subject, status, priority, assignee_name, requester_name, location_id } = ticket
          return (
            <tr key={id}>
              <th scope="row" className={classes.subject}>
                <Link href={`/tickets/${id}`} prefetch={false}>
                  <span className={classes.number}>#{number}</span> {subject}
                </Link>
                <small data-narrow="md">
                  <SlaBadge ticket={ticket} />
                </small>
                <small data-narrow>
                  {t(`status.${status}`)} · {assignee_name ?? t('nobody')}
                </small>
              </th>
              <td data-wide>
                <TicketStatusBadge status={status} />
              </td>
              <td>
                <PriorityBadge priority={priority} />
              </td>
              <td data-wide="md">
                <SlaBadge ticket={ticket} />
              </td>
              <td data-wide>{assignee_name ?? t('nobody')}</td>
              <td data-wide="md">{requester_name ?? t('noRequester')}</td>
              <td data-wide="md">{locations.get(location_id ?? '') ?? t('wholeGroup')}</td>
            </tr>
          )
        })}
      </tbody>
    </DataTable>
  )
}
