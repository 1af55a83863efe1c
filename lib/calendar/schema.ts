import { z } from 'zod'
import { requiredText } from '@/lib/http/fields'
import { instant, instantInput } from '@/lib/http/instant'
import { anyId, anyText, loadedValues } from '@/lib/http/loaded'

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
/** Changes of an event; absent fields stay as they are. */
export const eventChangesSchema = z
  .strictObject({
    ...fields,
    loaded: loadedValues({
      title: z.string().max(20_000),
      event_datetime: instantInput,
      description: anyText,
      ends_at: instantInput.nullable(),
      location_id: anyId,
      customer_id: anyId,
      assignee_id: anyId,
      reminder_minutes: z.int32(),
    }),
  })
  .partial()
export type EventChanges = z.infer<typeof eventChangesSchema>

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
/** A calendar event in the API; instants in UTC, the reminder in minutes before the start. */
export type CalendarEvent = z.infer<typeof eventSchema>
