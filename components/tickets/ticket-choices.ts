import 'server-only'
import { getTranslations } from 'next-intl/server'
import type { Session } from '@/lib/auth/session'
import type { Location } from '@/lib/organization/list-locations'
import type { Colleague } from '@/lib/team/list-colleagues'
import { TICKET_PRIORITIES, TICKET_STATUSES } from '@/lib/tickets/schema'

export interface Option {
  value: string
  label: string
}

/** What the fields of a ticket offer. */
export interface TicketChoices {
  statuses: Option[]
  priorities: Option[]
  locations: Option[]
  colleagues: Option[]
  /** Whether the person may look for customers. */
  mayPickCustomer: boolean
}

/** The choices in the visitor's words; priorities say how long a ticket of them may take. */
export async function ticketChoices(
  session: Pick<Session, 'can'>,
  locations: readonly Location[],
  colleagues: readonly Colleague[],
): Promise<TicketChoices> {
  const t = await getTranslations('tickets')
  const named = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })
  return {
    statuses: TICKET_STATUSES.map((status) => ({ value: status, label: t(`status.${status}`) })),
    priorities: TICKET_PRIORITIES.map((priority) => ({
      value: priority,
      label: t(`priorityWithTime.${priority}`),
    })),
    locations: locations.map(named),
    colleagues: colleagues.map(named),
    mayPickCustomer: session.can('canAccessClientes'),
  }
}
