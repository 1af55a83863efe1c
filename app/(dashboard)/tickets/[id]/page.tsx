import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { Activity } from '@/components/tickets/activity'
import { CommentForm } from '@/components/tickets/comment-form'
import { findTicket, ticketChoices } from '@/components/tickets/load-tickets'
import { TicketActions } from '@/components/tickets/ticket-actions'
import { TicketHeader, TicketProperties } from '@/components/tickets/ticket-detail'
import { fromCursor } from '@/components/ui/from-cursor'
import { Pager } from '@/components/ui/pager'
import { Panel, Panels } from '@/components/ui/panel'
import { pageSession } from '@/lib/auth/page-session'
import { allergiesOf } from '@/lib/customers/allergies'
import { customerNames } from '@/lib/customers/read-customer'
import { cursorPage } from '@/lib/http/page-address'
import { listLocations } from '@/lib/locations/locations'
import { listColleagues } from '@/lib/team/members'
import { listActivity } from '@/lib/tickets/tickets'
import classes from './page.module.css'

const ENTRIES = 200

export async function generateMetadata({ params }: PageProps<'/tickets/[id]'>): Promise<Metadata> {
  const t = await getTranslations('nav')
  const ticket = await findTicket((await params).id)
  return { title: ticket ? `#${ticket.number} ${ticket.subject}` : t('tickets') }
}

/** A ticket with its comments, events and fields. */
export default async function TicketPage({ params, searchParams }: PageProps<'/tickets/[id]'>) {
  const session = await pageSession()
  const ticket = await findTicket((await params).id)
  if (!ticket) notFound()
  const address = cursorPage(`/tickets/${ticket.id}`)
  const { cursor } = address.read(await searchParams)
  const [activity, locations, colleagues, names, allergies, t] = await Promise.all([
    fromCursor(cursor, (after) => listActivity(session, ticket.id, { cursor: after, limit: ENTRIES })),
    listLocations(session),
    listColleagues(session),
    customerNames(session, [ticket.customer_id]),
    allergiesOf(session, [ticket.customer_id]),
    getTranslations('tickets'),
  ])
  const choices = await ticketChoices(session, locations, colleagues)
  const location = locations.find(({ id }) => id === ticket.location_id)
  const timezone = location?.timezone ?? session.organization.timezone
  const { customer_id: customerId } = ticket
  // Keep the customer even without a name: saving the form must not remove the customer.
  const customer =
    customerId && choices.mayPickCustomer ? { id: customerId, name: names.get(customerId) ?? '' } : null
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
            <Activity ticket={ticket} entries={activity.data} withEvents={!cursor} timezone={timezone} />
            <Pager
              label={t('activity.pages')}
              path={cursor}
              next={activity.next_cursor}
              hrefAt={(path) => address.href({ cursor: path })}
              texts={{ first: t('activity.first'), next: t('activity.next') }}
            />
            <CommentForm ticketId={ticket.id} />
          </Panel>
        </Panels>
        <TicketProperties
          ticket={ticket}
          customer={customer}
          allergies={allergies.get(customerId ?? '')}
          choices={choices}
          timezone={timezone}
        />
      </div>
    </>
  )
}
