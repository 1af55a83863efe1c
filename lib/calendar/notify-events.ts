import 'server-only'
import type { z } from 'zod'
import type { JobContext } from '@/lib/jobs/job'
import type { notificationsBodySchema } from '@/lib/messaging/notifications/schema'
import { sendNotices } from '@/lib/messaging/notifications/send'

/** Announces each event of the next 24 hours to its customer by e-mail, once. */
export async function notifyEvents(context: JobContext): Promise<z.infer<typeof notificationsBodySchema>> {
  const { sent } = await sendNotices(context, 'calendar-notifications', 'queue_event_notifications')
  return { success: true, timestamp: context.now.toISOString(), notifications_sent: sent }
}
