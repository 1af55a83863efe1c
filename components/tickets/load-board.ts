import 'server-only'
import type { Session } from '@/lib/auth/session'
import { listTickets } from '@/lib/tickets/list-tickets'
import type { Ticket, TicketQuery } from '@/lib/tickets/schema'

/** The tickets of one status. */
export interface BoardColumn {
  status: Exclude<Ticket['status'], 'closed'>
  tickets: Ticket[]
  hasMore: boolean
}

// Closed ones are for the list: nobody works on them.
const COLUMNS = { open: 100, in_progress: 100, waiting: 100, resolved: 20 } as const

/** The board's columns: what is in work by its deadline, the most urgent first, and what was solved last. */
export function loadBoard(
  session: Pick<Session, 'db'>,
  filters: Omit<TicketQuery, 'status' | 'cursor' | 'limit'>,
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
