import { z } from 'zod'
import { cursorField, pageAddress } from '@/lib/http/page-address'
import { pageQuery } from '@/lib/openapi/common'

/** The filters of the conversations, with the same names in the page's address, the API and the verb. */
const conversationFilters = z.object({
  unread: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Only those with unread texts, or only those without' }),
  customer_id: z.guid().optional(),
})

export const conversationsQuery = pageQuery.extend(conversationFilters.shape)
export type ConversationsQuery = z.infer<typeof conversationsQuery>

const shown = conversationFilters.omit({ customer_id: true }).extend({ cursor: cursorField })

/** The page of the conversations, or of one: beside it the list stays as it was. */
export const conversationsPage = (id?: string) =>
  pageAddress(id ? `/conversations/${id}` : '/conversations', shown.extend({ earlier: cursorField }))
