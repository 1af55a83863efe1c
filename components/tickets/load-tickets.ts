import 'server-only'
import { getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { pageSession } from '@/lib/auth/page-session'
import type { Session } from '@/lib/auth/session'
import { HttpError } from '@/lib/http/errors'
import type { Location } from '@/lib/locations/locations'
import type { Colleague } from '@/lib/team/members'
import type { TicketsQuery } from '@/lib/tickets/filters'
import { TICKET_PRIORITIES, TICKET_STATUSES, type Ticket } from '@/lib/tickets/schema'
import { getTicket, listTickets } from '@/lib/tickets/tickets'
import { isUuid } from '@/lib/uuid'

/** The ticket of a page; null when the person may not see one with this id. Read once per request. */
export const findTicket = cache(async (id: string): Promise<Ticket | null> => {
  const session = await pageSession()
  if (!isUuid(id)) return null
  try {
    return await getTicket(session, id)
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null
    throw error
  }
})

/** The tickets of one status. */
export interface BoardColumn {
  status: Exclude<Ticket['status'], 'closed'>
  tickets: Ticket[]
  hasMore: boolean
}

// The board has no column for closed tickets.
const COLUMNS = { open: 100, in_progress: 100, waiting: 100, resolved: 20 } as const

/** The board's columns: unresolved tickets by deadline, and the latest resolved ones. */
export function loadBoard(
  session: Pick<Session, 'db'>,
  filters: Omit<TicketsQuery, 'status' | 'cursor' | 'limit'>,
): Promise<BoardColumn[]> {
  const columns = Object.entries(COLUMNS) as [BoardColumn['status'], number][]
  return Promise.all(
    columns.map(async ([status, limit]) => {
      const { data, next_cursor } = await listTickets(session, { ...filters, status, limit })
      const tickets =
        status === 'resolved' ? data : data.sort((a, b) => (a.sla_due_at < b.sla_due_at ? -1 : 1))
      return { status, tickets, hasMore: next_cursor !== null }
    }),
  )
}

export interface Option {
  value: string
  label: string
}

/** The options of the fields of a ticket. */
export interface TicketChoices {
  statuses: Option[]
  priorities: Option[]
  locations: Option[]
  colleagues: Option[]
  /** Whether the person may search for customers. */
  mayPickCustomer: boolean
}

/** The options in the person's language; priorities include their time limit. */
export async function ticketChoices(
  session: Pick<Session, 'can'>,
  locations: readonly Location[],
  colleagues: readonly Colleague[],
): Promise<TicketChoices> {
  const t = await getTranslations('tickets')
  const named = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })
  return {
    statuses: TICKET_STATUSES.map((status) => ({ value: status, label: t(`status.${status}`) })),
    priorities: TICKET_PRIORITIES.map((priority) => ({
      value: priority,
      label: t(`priorityWithTime.${priority}`),
    })),
    locations: locations.map(named),
    colleagues: colleagues.map(named),
    mayPickCustomer: session.can('canAccessClientes'),
  }
}
