import { severeFirst } from '@/lib/customers/severe'
import { DAY_MS } from '@/lib/dates'
import type { GuestToKnow } from './schema'

const MONTH_MS = 30.44 * DAY_MS

/** A reason why a guest is of note: a text of `home.know.reasons` with its values. */
export interface Reason {
  key:
    | 'allergy'
    | 'allergyTo'
    | 'birthdayToday'
    | 'birthdayAhead'
    | 'birthdayPast'
    | 'vip'
    | 'away'
    | 'noShows'
    | 'first'
  count: number
  tier: string
  /** Of `allergyTo`: the fact's code. */
  code?: GuestToKnow['facts'][number]['code']
  /** Of `allergyTo`: what staff noted of it, for example how severe it is. */
  note?: string
}

/**
 * A guest's reasons, the most important first; none for a guest with only notes. Recorded allergies have their names.
 */
export function reasonsOf(guest: Omit<GuestToKnow, 'reservation_id' | 'allergies'>, now: Date): Reason[] {
  const reasons: Reason[] = []
  const add = (key: Reason['key'], count = 0, more: Pick<Reason, 'code' | 'note'> = {}) =>
    reasons.push({ key, count, tier: guest.tier ?? '', ...more })
  const allergies = severeFirst(guest.facts.filter(({ kind }) => kind === 'allergy'))
  for (const { code, note } of allergies) add('allergyTo', 0, { code, ...(note ? { note } : {}) })
  if (guest.allergy && allergies.length === 0) add('allergy')
  const days = guest.birthday_in
  if (days !== null)
    add(days === 0 ? 'birthdayToday' : days > 0 ? 'birthdayAhead' : 'birthdayPast', Math.abs(days))
  if (guest.vip) add('vip')
  if (guest.away && guest.last_visit_at)
    add('away', Math.floor((now.getTime() - Date.parse(guest.last_visit_at)) / MONTH_MS))
  if (guest.no_shows > 0) add('noShows', guest.no_shows)
  if (guest.first_visit) add('first')
  return reasons
}
