import 'server-only'
import type { JobContext } from '@/lib/jobs/job'
import type { RemindersBody } from '@/lib/messaging/notification'
import { sendNotices } from '@/lib/messaging/send-notifications'

/** Notifies the assignee, or else the admins, of each ticket that is new or has changed since the last notification. */
export async function notifyTickets(context: JobContext): Promise<RemindersBody> {
  const { sent, failed } = await sendNotices(context, 'ticket-notifications', 'queue_ticket_notifications')
  return { success: true, timestamp: context.now.toISOString(), sent, failed }
}

/** Reminds the assignee, or else the admins, of each unresolved ticket near or past its deadline, once. */
export async function remindTickets(context: JobContext): Promise<RemindersBody> {
  const { sent, failed } = await sendNotices(context, 'ticket-reminders', 'queue_ticket_reminders')
  return { success: true, timestamp: context.now.toISOString(), sent, failed }
}
