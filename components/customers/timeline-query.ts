import { href } from '@/components/ui/query'
import type { TimelineKind } from '@/lib/customers/timeline-schema'

/** What of a customer's timeline is shown, and from where. */
export interface TimelineQuery {
  customerId: string
  show: TimelineKind | undefined
  cursor: string | undefined
}

/** The address of a customer with that part of the timeline. */
export function timelineHref({ customerId, show }: Omit<TimelineQuery, 'cursor'>, cursor?: string): string {
  return href(`/customers/${customerId}`, { show, cursor })
}
