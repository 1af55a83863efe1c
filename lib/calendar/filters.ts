import { z } from 'zod'
import { instantInput } from '@/lib/http/instant'
import { pageQuery } from '@/lib/openapi/common'

/** The filters of the events, by the same names in the API, the verb and list_calendar_events' `p_filters`. */
export const eventsQuery = pageQuery.extend({
  from: instantInput.optional().meta({ description: 'Events from then on; now when absent' }),
  to: instantInput.optional().meta({ description: 'Events before then' }),
  location_id: z.guid().optional(),
  assignee_id: z.guid().optional(),
})
/** `under_way`: also those that began before `from` and end after it. */
export type EventsQuery = z.infer<typeof eventsQuery> & { under_way?: boolean }
