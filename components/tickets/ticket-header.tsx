import { IconArrowLeft } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { PageHeader } from '@/components/ui/page-header'
import type { Ticket } from '@/lib/tickets/schema'
import { SlaBadge } from './sla-badge'
import { PriorityBadge, TicketStatusBadge } from './ticket-badges'
import classes from './ticket-header.module.css'

/** Which ticket it is and how it stands, with the way back and what can be done. */
export function TicketHeader({ ticket, children }: { ticket: Ticket; children: ReactNode }) {
  const t = useTranslations('tickets')
  return (
    <>
      <Link href="/tickets" className={classes.back}>
        <IconArrowLeft size={15} aria-hidden />
        {t('title')}
      </Link>
      <PageHeader
        title={t('named', { number: ticket.number, subject: ticket.subject })}
        subtitle={
          <span className={classes.badges}>
            <TicketStatusBadge status={ticket.status} />
            <PriorityBadge priority={ticket.priority} />
            <SlaBadge ticket={ticket} />
          </span>
        }
      >
        {children}
      </PageHeader>
    </>
  )
}
