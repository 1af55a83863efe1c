import type { Query } from '@/lib/http/page-address'
import type { Colleague } from '@/lib/team/members'
import { ticketsPage } from '@/lib/tickets/filters'

/** The state of the tickets page, read from its address; `assignee_id` is `me` or a colleague's id. */
export type TicketsView = ReturnType<typeof ticketsPage.read>

/** Reads the address, for the chosen location or all. */
export function parseTicketsQuery(
  query: Query,
  location: { id: string } | undefined,
  colleagues: readonly Colleague[],
): TicketsView {
  const asked = ticketsPage.read(query)
  const known = ['me', ...colleagues.map(({ id }) => id)].find((id) => id === asked.assignee_id)
  return { ...asked, location_id: location?.id, assignee_id: known }
}

/** Returns the address of the same tickets with some parameters changed; by default the first page. */
export function ticketsHref(shown: TicketsView, change: Partial<TicketsView> = {}): string {
  const next = { ...shown, cursor: undefined, ...change }
  // The board has a column for each status.
  return ticketsPage.href({ ...next, status: next.view === 'board' ? undefined : next.status })
}
