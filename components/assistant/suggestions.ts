import type { useTranslations } from 'next-intl'
import type { AssistantContext } from '@/lib/assistant/context'
import type { Permission } from '@/lib/auth/permissions'

/** A question worth asking now, and the figure that makes it so. */
export interface Suggestion {
  question: string
  reason: string
}

const MOST = 4

/** The questions that a moment's figures suggest to someone with these permissions; four at most. */
export function suggestionsFor(
  context: AssistantContext,
  can: (permission: Permission) => boolean,
  t: ReturnType<typeof useTranslations<'assistant.suggestions'>>,
): Suggestion[] {
  const { today, week, inactive_vips, locations } = context
  const found: Suggestion[] = []
  const suggest = (question: string, reason: string) => found.push({ question, reason })

  if (today.total > 0) {
    const counts = { reservations: today.total, covers: today.covers }
    suggest(t('service.question'), t('service.reason', counts))
  }
  const arrival = can('canAccessOperaciones') ? nextArrival(context) : undefined
  if (arrival?.customer_name) {
    const { customer_name: name, time, party_size: count, location } = arrival
    suggest(t('arrival.question', { name, time }), t('arrival.reason', { count, location }))
  }
  if (today.vip > 0 && can('canAccessOperaciones'))
    suggest(t('vip.question'), t('vip.reason', { count: today.vip }))
  if (inactive_vips.count > 0 && can('canAccessClientes'))
    suggest(t('inactive.question'), t('inactive.reason', { count: inactive_vips.count }))
  if (locations.length > 1 && week.reservations > 0)
    suggest(t('week.question'), t('week.reason', { count: week.reservations }))
  if (found.length === 0) suggest(t('quiet.question'), t('quiet.reason'))
  return found.slice(0, MOST)
}

/** Who comes next in the service under way; tomorrow's guests can wait. */
function nextArrival({ upcoming, locations }: AssistantContext) {
  const days = new Map(locations.map(({ name, service_date }) => [name, service_date]))
  return upcoming.find((party) => party.customer_name && days.get(party.location) === party.date)
}
