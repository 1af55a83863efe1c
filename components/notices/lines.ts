import type { Notices } from '@/lib/notices/schema'

/** One thing that needs attention. */
export interface NoticeLine {
  text:
    | 'syncFailed'
    | 'syncPartial'
    | 'pausedRuns'
    | 'waitingRuns'
    | 'ticketsLate'
    | 'ticketsNear'
    | 'unknownMessages'
  count: number
  href: string | null
}

/** Where each kind of notice is dealt with, for this person. */
export type NoticeLinks = Record<'sync' | 'automations' | 'tickets', string | null>

/** What needs attention, the most urgent first. */
export function noticeLines(
  { sync, paused_runs, waiting_runs, tickets, unknown_messages }: Notices,
  links: NoticeLinks,
): NoticeLine[] {
  const lines: NoticeLine[] = [
    {
      text: sync?.status === 'partial' ? 'syncPartial' : 'syncFailed',
      count: sync ? 1 : 0,
      href: links.sync,
    },
    { text: 'ticketsLate', count: tickets.late, href: links.tickets },
    { text: 'ticketsNear', count: tickets.near, href: links.tickets },
    { text: 'waitingRuns', count: waiting_runs, href: links.automations },
    { text: 'pausedRuns', count: paused_runs, href: links.automations },
    { text: 'unknownMessages', count: unknown_messages, href: links.automations },
  ]
  return lines.filter(({ count }) => count > 0)
}
