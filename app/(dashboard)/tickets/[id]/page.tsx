import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { Activity } from '@/components/tickets/activity'
import { CommentForm } from '@/components/tickets/comment-form'
import { findTicket } from '@/components/tickets/find-ticket'
import { TicketActions } from '@/components/tickets/ticket-actions'
import { ticketChoices } from '@/components/tickets/ticket-choices'
import { TicketHeader } from '@/components/tickets/ticket-header'
import { TicketProperties } from '@/components/tickets/ticket-properties'
import { fromCursor } from '@/components/ui/from-cursor'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { Panels } from '@/components/ui/panels'
import { href, param } from '@/components/ui/query'
import { pageSession } from '@/lib/auth/page-session'
import { customerNames } from '@/lib/customers/customer-names'
import { TIME_ZONE } from '@/lib/i18n/locales'
import { listLocations } from '@/lib/organization/list-locations'
import { listColleagues } from '@/lib/team/list-colleagues'
import { listComments } from '@/lib/tickets/list-comments'
import classes from './page.module.css'

const COMMENTS = 200

export async function generateMetadata({ params }: PageProps<'/tickets/[id]'>): Promise<Metadata> {
  const t = await getTranslations('nav')
  const ticket = await findTicket((await params).id)
  return { title: ticket ? `#${ticket.number} ${ticket.subject}` : t('tickets') }
}

/** A ticket: what it is about, what was said, where it stands. */
export default async function TicketPage({ params, searchParams }: PageProps<'/tickets/[id]'>) {
  const session = await pageSession()
  const ticket = await findTicket((await params).id)
  if (!ticket) notFound()
  const cursor = param(await searchParams, 'cursor', 1000) || undefined
  const [comments, locations, colleagues, names, t] = await Promise.all([
    fromCursor(cursor, (after) => listComments(session, ticket.id, { cursor: after, limit: COMMENTS })),
    listLocations(session),
    listColleagues(session),
    customerNames(session, [ticket.customer_id]),
    getTranslations('tickets'),
  ])
  const choices = await ticketChoices(session, locations, colleagues)
  const location = locations.find(({ id }) => id === ticket.location_id)
  const timezone = location?.timezone ?? TIME_ZONE
  const { customer_id: customerId } = ticket
  // Without its name, too: saving the form must not lose the customer.
  const customer =
    customerId && choices.mayPickCustomer ? { id: customerId, name: names.get(customerId) ?? '' } : null
  const path = `/tickets/${ticket.id}`
  const next = comments.next_cursor && href(path, { cursor: comments.next_cursor })
  return (
    <>
      <TicketHeader ticket={ticket}>
        <TicketActions
          ticket={ticket}
          customer={customer}
          choices={choices}
          mayDelete={session.can('canViewSettings')}
        />
      </TicketHeader>
      <div className={classes.grid}>
        <Panels>
          <Panel title={t('description')}>
            <p className={classes.description}>{ticket.description ?? t('noDescription')}</p>
          </Panel>
          <Panel title={t('activity.title')}>
            <Activity ticket={ticket} comments={comments.data} withEvents={!cursor} timezone={timezone} />
            <Pager
              label={t('activity.pages')}
              first={cursor ? { href: path, text: t('activity.first') } : null}
              next={next ? { href: next, text: t('activity.next') } : null}
            />
            <CommentForm ticketId={ticket.id} />
          </Panel>
        </Panels>
        <TicketProperties ticket={ticket} customer={customer} choices={choices} timezone={timezone} />
      </div>
    </>
  )
}
