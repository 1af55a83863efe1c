import 'server-only'
import type { z } from 'zod'
import type { JobContext } from '@/lib/jobs/job'
import type { notificationsBodySchema, RemindersBody } from '@/lib/messaging/notification'
import { sendNotices } from '@/lib/messaging/send-notifications'

/** Announces each event of the next 24 hours to its customer by e-mail, once. */
export async function notifyEvents(context: JobContext): Promise<z.infer<typeof notificationsBodySchema>> {
  const { sent } = await sendNotices(context, 'calendar-notifications', 'queue_event_notifications')
  return { success: true, timestamp: context.now.toISOString(), notifications_sent: sent }
}

/** Reminds the assignee of each event that begins within its `reminder_minutes`, once. */
export async function remindEvents(context: JobContext): Promise<RemindersBody> {
  const { sent, failed } = await sendNotices(context, 'calendar-reminders', 'queue_event_reminders')
  return { success: true, timestamp: context.now.toISOString(), sent, failed }
}
