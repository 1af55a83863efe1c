import type { BadgeTone } from '@/components/ui/badge'
import type { GuestToKnow } from '@/lib/overview/customers-to-know'

const MONTH_MS = 30.44 * 86_400_000

/** Why a guest is to be known: a text of `home.know.reasons` with its values. */
export interface Reason {
  key: 'allergy' | 'birthdayToday' | 'birthdayAhead' | 'birthdayPast' | 'vip' | 'away' | 'noShows' | 'first'
  tone: BadgeTone
  count: number
  tier: string
}

/** A guest's reasons, the weightiest first; none for someone who only has notes. */
export function reasonsOf(guest: GuestToKnow, now: Date): Reason[] {
  const reasons: Reason[] = []
  const add = (key: Reason['key'], tone: BadgeTone, count = 0) =>
    reasons.push({ key, tone, count, tier: guest.tier ?? '' })
  if (guest.allergy) add('allergy', 'red')
  const days = guest.birthday_in
  if (days !== null)
    add(days === 0 ? 'birthdayToday' : days > 0 ? 'birthdayAhead' : 'birthdayPast', 'accent', Math.abs(days))
  if (guest.vip) add('vip', 'amber')
  if (guest.away && guest.last_visit_at)
    add('away', 'blue', Math.floor((now.getTime() - Date.parse(guest.last_visit_at)) / MONTH_MS))
  if (guest.no_shows > 0) add('noShows', 'orange', guest.no_shows)
  if (guest.first_visit) add('first', 'green')
  return reasons
}
