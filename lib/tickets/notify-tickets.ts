import 'server-only'
import type { JobContext } from '@/lib/jobs/job'
import type { RemindersBody } from '@/lib/messaging/notifications/schema'
import { sendNotices } from '@/lib/messaging/notifications/send'

/** Tells the assignee, else the admins, of each ticket that is new or changed since it was last told. */
export async function notifyTickets(context: JobContext): Promise<RemindersBody> {
  const { sent, failed } = await sendNotices(context, 'ticket-notifications', 'queue_ticket_notifications')
  return { success: true, timestamp: context.now.toISOString(), sent, failed }
}
