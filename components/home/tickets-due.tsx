import { IconTicket } from '@tabler/icons-react'
import { getFormatter, getNow, getTranslations } from 'next-intl/server'
import { Badge } from '@/components/ui/badge'
import { EmptyState } from '@/components/ui/empty-state'
import { Panel } from '@/components/ui/panel'
import type { Session } from '@/lib/auth/session'
import type { Location } from '@/lib/organization/list-locations'
import { dueTickets } from '@/lib/tickets/due-tickets'
import classes from './rows.module.css'
import { SectionLink } from './section-link'

interface TicketsDueProps {
  session: Session
  locations: readonly Location[]
  locationId?: string
}

/** The tickets that are late or soon will be. */
export async function TicketsDue({ session, locations, locationId }: TicketsDueProps) {
  const [{ tickets, total }, t, format, now] = await Promise.all([
    dueTickets(session, { locationId }),
    getTranslations('home.tickets'),
    getFormatter(),
    getNow(),
  ])
  return (
    <Panel
      title={t('title')}
      aside={
        <>
          {total > tickets.length ? t('shown', { shown: tickets.length, total }) : null}{' '}
          <SectionLink href="/tickets">{t('all')}</SectionLink>
        </>
      }
      flush={tickets.length > 0}
    >
      {tickets.length > 0 ? (
        <ul>
          {tickets.map((ticket) => {
            const due = new Date(ticket.sla_due_at)
            const late = due < now
            const place = locations.find(({ id }) => id === ticket.location_id)?.name
            return (
              <li key={ticket.id} className={classes.row}>
                <span className={classes.main}>
                  {ticket.subject}
                  <small>
                    #{ticket.number} · {t(`priorities.${ticket.priority}`)}
                    {place ? ` · ${place}` : null}
                  </small>
                </span>
                <Badge tone={late ? 'red' : 'amber'}>
                  {t(late ? 'late' : 'soon', { when: format.relativeTime(due, now) })}
                </Badge>
              </li>
            )
          })}
        </ul>
      ) : (
        <EmptyState icon={IconTicket} title={t('none')} text={t('noneText')} />
      )}
    </Panel>
  )
}
