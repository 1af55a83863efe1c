import { z } from 'zod'
import { filterText } from '@/lib/http/fields'
import { cursorField, pageAddress } from '@/lib/http/page-address'
import { pageQuery } from '@/lib/openapi/common'
import { TICKET_PRIORITIES, TICKET_STATUSES } from './schema'

/** The filters of the tickets, with the same names in the page's address, the API, the verb and list_tickets. */
export const ticketFilters = z.object({
  status: z.enum(TICKET_STATUSES).optional(),
  priority: z.enum(TICKET_PRIORITIES).optional(),
  location_id: z.guid().optional(),
  assignee_id: z.guid().optional(),
  search: filterText(200).meta({ description: 'Words of subject or description, or #number' }),
})

export const ticketsQuery = ticketFilters.extend({
  number: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000_000)
    .optional()
    .meta({ description: 'Exactly this one' }),
  ...pageQuery.shape,
})
export type TicketsQuery = z.infer<typeof ticketsQuery>

/** The page of the tickets. */
export const ticketsPage = pageAddress(
  '/tickets',
  ticketFilters.extend({
    cursor: cursorField,
    view: z.enum(['board', 'list']).default('board'),
    assignee_id: z.union([z.literal('me'), z.guid()]).optional(),
  }),
)
