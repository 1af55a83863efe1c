import 'server-only'
import { runAllAutomations } from '@/lib/automations/run-all'
import { notifyEvents } from '@/lib/calendar/notify-events'
import { remindEvents } from '@/lib/calendar/remind-events'
import { finishRefreshes } from '@/lib/locations/refresh'
import { log } from '@/lib/log'
import { evaluateNightly } from '@/lib/loyalty/nightly'
import { syncForCron } from '@/lib/pms/sync/answers'
import { closeAllServices } from '@/lib/reservations/close-services'
import { notifyTickets } from '@/lib/tickets/notify-tickets'
import { remindTickets } from '@/lib/tickets/remind-tickets'
import type { Job, JobContext, JobName } from './job'
import { tidyUp } from './tidy-up'

/** Every job; one that is declared but missing here does not compile. */
export const JOBS: Record<JobName, Job> = {
  sync: { budgetSeconds: 60, run: syncForCron },
  'calendar-notifications': {
    budgetSeconds: 60,
    run: notifyEvents,
    nothingDone: (body) =>
      'notifications_sent' in body && body.notifications_sent === 0 ? 'No notifications to send' : undefined,
  },
  'calendar-reminders': { budgetSeconds: 60, run: remindEvents },
  'ticket-notifications': { budgetSeconds: 60, run: notifyTickets },
  'ticket-reminders': { budgetSeconds: 60, run: remindTickets },
  automations: { budgetSeconds: 300, run: automations },
}

/**
/**
 * What messages depend on comes first: services that ended, figures of locations that changed, and once a night
 * everyone's tier; then what is no longer kept goes, in a bounded time. A failure there does not stop the messages.
 */
async function automations(context: JobContext): Promise<object> {
  const upkeeps = { closeAllServices, finishRefreshes, evaluateNightly, tidyUp }
  for (const [name, upkeep] of Object.entries(upkeeps))
    await upkeep(context).catch((err: unknown) => log().error({ err, upkeep: name }, 'upkeep failed'))
  return runAllAutomations(context)
}
