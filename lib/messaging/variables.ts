import { guestName } from './guest-name'
import type { Facts } from './schema'

/** Every variable a template may use. */
const VARIABLES = [
  'first_name',
  'last_name',
  'full_name',
  'location_name',
  'tier',
  'total_visits',
  'last_visit',
  'birthday',
  'reservation_date',
  'reservation_time',
  'party_size',
  'organization_name',
  'unsubscribe_url',
] as const
type Variables = Record<(typeof VARIABLES)[number], string | number>

/** The variables' values. Names come as guestName leaves them; what is not known is empty, dates are dd/mm/yyyy and the birthday dd/mm. */
export function variablesOf(facts: Facts, unsubscribeUrl = ''): Variables {
  const [first_name, last_name] = [guestName(facts.first_name), guestName(facts.last_name)]
  return {
    first_name,
    last_name,
    full_name: [first_name, last_name].filter(Boolean).join(' '),
    location_name: facts.location_name ?? '',
    tier: facts.tier ?? '',
    total_visits: facts.total_visits ?? 0,
    last_visit: localDate(facts.last_visit),
    birthday: localDate(facts.birth_date).slice(0, 5),
    reservation_date: localDate(facts.reservation_date),
    reservation_time: facts.reservation_time ?? '',
    party_size: facts.party_size ?? '',
    organization_name: facts.organization_name,
    unsubscribe_url: unsubscribeUrl,
  }
}

function localDate(date: string | null): string {
  return date === null ? '' : date.split('-').reverse().join('/')
}
