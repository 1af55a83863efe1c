import { z } from 'zod'
import { requiredText } from '@/lib/http/fields'
import { instant, instantInput } from '@/lib/http/instant'
import { pageQuery } from '@/lib/openapi/common'

const fields = {
  title: requiredText(200),
  event_datetime: instantInput,
  description: requiredText(5000).nullish(),
  ends_at: instantInput.nullish(),
  location_id: z.uuid().nullish(),
  customer_id: z.uuid().nullish(),
  assignee_id: z.uuid().nullish(),
  reminder_minutes: z.int().min(0).max(10_080).optional(),
}

/** A new event. */
export const newEventSchema = z.strictObject(fields)
/** What changes of an event; what is left out stays. */
export const eventChangesSchema = z.strictObject(fields).partial()
export type EventChanges = z.infer<typeof eventChangesSchema>

export const eventQuerySchema = pageQuery.extend({
  from: instantInput.optional().meta({ description: 'Events from then on; now when absent' }),
  to: instantInput.optional().meta({ description: 'Events before then' }),
  location_id: z.uuid().optional(),
  assignee_id: z.uuid().optional(),
})
export type EventQuery = z.infer<typeof eventQuerySchema>

export const eventSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    event_datetime: instant,
    ends_at: instant.nullable(),
    location_id: z.string().nullable(),
    customer_id: z.string().nullable(),
    assignee_id: z.string().nullable(),
    assignee_name: z.string().nullable(),
    notification_sent: z.boolean(),
    reminder_minutes: z.int(),
    reminder_sent: z.boolean(),
    created_by: z.string().nullable(),
    created_at: instant,
  })
  .meta({ id: 'CalendarEvent' })
/** A calendar event as the API gives it; instants in UTC, the reminder in minutes before it begins. */
export type CalendarEvent = z.infer<typeof eventSchema>
