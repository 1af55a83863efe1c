import { choice, href, param, type Query } from '@/components/ui/query'
import type { Colleague } from '@/lib/team/list-colleagues'
import { TICKET_PRIORITIES, TICKET_STATUSES, type Ticket } from '@/lib/tickets/schema'

/** What the tickets page shows, read from its address; nonsense counts as absent. */
export interface TicketsView {
  view: 'board' | 'list'
  status: Ticket['status'] | undefined
  priority: Ticket['priority'] | undefined
  location: string | undefined
  /** `me`, or a colleague's id. */
  assignee: string | undefined
  search: string
  cursor: string | undefined
}

/** Reads the address, for the chosen location or all. */
export function parseTicketsQuery(
  query: Query,
  location: { id: string } | undefined,
  colleagues: readonly Colleague[],
): TicketsView {
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
  return {
    view: choice(query, 'view', ['board', 'list']) ?? 'board',
    status: choice(query, 'status', TICKET_STATUSES),
    priority: choice(query, 'priority', TICKET_PRIORITIES),
    location: location?.id,
    assignee: choice(query, 'assignee', ['me', ...ids(colleagues)]),
    search: param(query, 'q'),
    cursor: param(query, 'cursor', 1000) || undefined,
  }
}

/** The address of the same tickets with some of it changed; always from the first page unless told. */
export function ticketsHref(shown: TicketsView, change: Partial<TicketsView> = {}): string {
  const { view, status, priority, location, assignee, search, cursor } = {
    ...shown,
    cursor: undefined,
    ...change,
  }
  return href('/tickets', {
    view: view === 'board' ? undefined : view,
    // The board has a column for each.
    status: view === 'board' ? undefined : status,
    ...{ priority, location, assignee, q: search, cursor },
  })
}

/** Whether anything narrows the tickets. */
export const isNarrowed = ({ view, status, priority, location, assignee, search }: TicketsView): boolean =>
  Boolean(priority || location || assignee || search || (view === 'list' && status))
