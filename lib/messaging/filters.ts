import { z } from 'zod'
import { pageQuery } from '@/lib/openapi/common'
import { MESSAGE_STATUSES } from './schema'

const id = z.guid().toLowerCase().optional()

/** The filters of the messages, each key a column; all filters must match. */
export const messageFilters = z.object({
  automation_id: id,
  run_id: id,
  customer_id: id,
  status: z.enum(MESSAGE_STATUSES).optional(),
})

export const messagesQuery = pageQuery.extend(messageFilters.shape)
export type MessagesQuery = z.infer<typeof messagesQuery>
