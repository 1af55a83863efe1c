import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Allergies } from '@/components/customers/allergy-badges'
import { BackLink } from '@/components/ui/back-link'
import { Link } from '@/components/ui/link'
import { PageHeader } from '@/components/ui/page-header'
import { Panel } from '@/components/ui/panel'
import type { Allergy } from '@/lib/customers/allergies'
import type { Ticket } from '@/lib/tickets/schema'
import type { TicketChoices } from './load-tickets'
import { PriorityBadge, SlaBadge, TicketStatusBadge } from './ticket-badges'
import classes from './ticket-detail.module.css'
import { TicketSelect } from './ticket-select'

/** The header of a ticket: back link, title, badges and actions. */
export function TicketHeader({ ticket, children }: { ticket: Ticket; children: ReactNode }) {
  const t = useTranslations('tickets')
  return (
    <>
      <BackLink href="/tickets">{t('title')}</BackLink>
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

interface TicketPropertiesProps {
  ticket: Ticket
  customer: { id: string; name: string } | null
  allergies: readonly Allergy[] | undefined
  choices: TicketChoices
  timezone: string
}

/** The fields of a ticket, each saved on change, and its dates. */
export function TicketProperties({ ticket, customer, allergies, choices, timezone }: TicketPropertiesProps) {
  const t = useTranslations('tickets')
  const format = useFormatter()
  const { id, number } = ticket
  const due = format.dateTime(new Date(ticket.sla_due_at), 'instant', { timeZone: timezone })
  return (
    <Panel title={t('properties')}>
      <div className={classes.fields}>
        <TicketSelect
          {...{ id, number }}
          field="status"
          label={t('columns.status')}
          value={ticket.status}
          options={choices.statuses}
        />
        <TicketSelect
          {...{ id, number }}
          field="priority"
          label={t('columns.priority')}
          value={ticket.priority}
          options={choices.priorities}
        />
        <TicketSelect
          {...{ id, number }}
          field="assignee_id"
          label={t('columns.assignee')}
          value={ticket.assignee_id ?? ''}
          options={[{ value: '', label: t('nobody') }, ...choices.colleagues]}
        />
        <TicketSelect
          {...{ id, number }}
          field="location_id"
          label={t('columns.location')}
          value={ticket.location_id ?? ''}
          options={[{ value: '', label: t('wholeGroup') }, ...choices.locations]}
        />
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>{t('columns.sla')}</dt>
          <dd>
            <SlaBadge ticket={ticket} /> <small>{t('due', { date: due })}</small>
          </dd>
        </div>
        <div>
          <dt>{t('columns.requester')}</dt>
          <dd>{ticket.requester_name ?? t('noRequester')}</dd>
        </div>
        {ticket.customer_id ? (
          <div>
            <dt>{t('customer')}</dt>
            <dd>
              {customer ? (
                <Link href={`/customers/${customer.id}`} prefetch={false}>
                  {customer.name || t('noName')}
                </Link>
              ) : (
                t('hiddenCustomer')
              )}
              {customer ? <Allergies allergies={allergies} /> : null}
            </dd>
          </div>
        ) : null}
      </dl>
    </Panel>
  )
}
