import 'server-only'
import type { JobContext } from '@/lib/jobs/job'
import type { RemindersBody } from '@/lib/messaging/notifications/schema'
import { sendNotices } from '@/lib/messaging/notifications/send'

/** Reminds the assignee, else the admins, of each ticket in work whose deadline is near or over, once. */
export async function remindTickets(context: JobContext): Promise<RemindersBody> {
  const { sent, failed } = await sendNotices(context, 'ticket-reminders', 'queue_ticket_reminders')
  return { success: true, timestamp: context.now.toISOString(), sent, failed }
}
