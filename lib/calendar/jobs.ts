import 'server-only'
import type { z } from 'zod'
import type { JobContext } from '@/lib/jobs/job'
import type { notificationsBodySchema, RemindersBody } from '@/lib/messaging/notification'
import { sendNotices } from '@/lib/messaging/send-notifications'

// The contract fixes the body, which has no field for it.
const idle = new WeakSet<object>()
/** Whether no announcement was due in the run of `notifyEvents` that returned this body. */
export const hadNothingDue = (body: object) => idle.has(body)

/** Announces each event of the next 24 hours to its customer by e-mail, once. */
export async function notifyEvents(context: JobContext): Promise<z.infer<typeof notificationsBodySchema>> {
  const { due, sent } = await sendNotices(context, 'calendar-notifications', 'queue_event_notifications')
  const body = { success: true, timestamp: context.now.toISOString(), notifications_sent: sent } as const
  if (due === 0) idle.add(body)
  return body
}

/** Reminds the assignee of each event that begins within its `reminder_minutes`, once. */
export async function remindEvents(context: JobContext): Promise<RemindersBody> {
  const { sent, failed } = await sendNotices(context, 'calendar-reminders', 'queue_event_reminders')
  return { success: true, timestamp: context.now.toISOString(), sent, failed }
}
