import { useNow, useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import type { Ticket } from '@/lib/tickets/schema'
import { durationOf, slaOf } from './sla'

/** The time left until a ticket's deadline, or by how much it is over, in words and colour. */
export function SlaBadge({ ticket }: { ticket: Ticket }) {
  const t = useTranslations('tickets')
  const { kind, minutes, tone } = slaOf(ticket, useNow())
  const { unit, ...parts } = durationOf(minutes)
  return <Badge tone={tone}>{t(`sla.${kind}`, { time: t(`duration.${unit}`, parts) })}</Badge>
}
