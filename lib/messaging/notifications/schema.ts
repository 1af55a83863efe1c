import { z } from 'zod'

const ran = { success: z.literal(true), timestamp: z.iso.datetime() }

/** The body of calendar-notifications: both variants of the contract at once. */
export const notificationsBodySchema = z.object({ ...ran, notifications_sent: z.int() })

/** The body of the other three: e-mails sent, and those that failed or have no address. */
export const remindersBodySchema = z.object({ ...ran, sent: z.int(), failed: z.int() })
export type RemindersBody = z.infer<typeof remindersBodySchema>

/** What a queueing function of the database did with one batch; `due` events or tickets are marked. */
export const batchSchema = z.object({
  due: z.number(),
  queued: z.number(),
  failed: z.number(),
  ids: z.array(z.string()),
})

const staff = { organization: z.string(), name: z.string().nullable(), timezone: z.string() }
const event = {
  ...staff,
  title: z.string(),
  event_datetime: z.string(),
  ends_at: z.string().nullable(),
  location: z.string().nullable(),
}
const ticket = {
  ...staff,
  number: z.number(),
  subject: z.string(),
  description: z.string().nullable(),
  status: z.enum(['open', 'in_progress', 'waiting', 'resolved', 'closed']),
  priority: z.enum(['low', 'medium', 'high', 'urgent']),
  sla_due_at: z.string(),
  is_new: z.boolean(),
  location: z.string().nullable(),
}

/** `messages.content` of the notifications: what SQL (notifications, sign-in limits, second factor, account) writes and `render` reads. */
export const notificationSchema = z.discriminatedUnion('template', [
  z.object({ template: z.literal('calendar_notification'), ...event, address: z.string().nullable() }),
  z.object({ template: z.literal('calendar_reminder'), ...event, description: z.string().nullable() }),
  z.object({ template: z.literal('ticket_notification'), ...ticket }),
  z.object({ template: z.literal('ticket_reminder'), ...ticket, is_over: z.boolean() }),
  z.object({ template: z.literal('sign_in_failures'), ...staff, failures: z.number(), at: z.string() }),
  z.object({
    template: z.literal('second_factor_removed'),
    ...staff,
    at: z.string(),
    required: z.boolean(),
  }),
  z.object({
    template: z.literal('new_sign_in'),
    ...staff,
    at: z.string(),
    browser: z.string().nullable(),
    system: z.string().nullable(),
    place: z.string().nullable(),
  }),
])
export type Notification = z.infer<typeof notificationSchema>
