import 'server-only'
import type { JobContext } from '@/lib/jobs/job'
import type { RemindersBody } from '@/lib/messaging/notifications/schema'
import { sendNotices } from '@/lib/messaging/notifications/send'

/** Reminds the assignee of each event that begins within its `reminder_minutes`, once. */
export async function remindEvents(context: JobContext): Promise<RemindersBody> {
  const { sent, failed } = await sendNotices(context, 'calendar-reminders', 'queue_event_reminders')
  return { success: true, timestamp: context.now.toISOString(), sent, failed }
}
