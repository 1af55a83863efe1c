import { shownName } from '@/lib/customers/person-name'
import type { Facts } from './schema'

/** Every variable a template may use. */
export const VARIABLES = [
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
  'feedback_link',
] as const
/** Whom a message is for, and its links. */
interface About {
  facts: Facts
  unsubscribeUrl?: string | undefined
  feedbackUrl?: string | undefined
}

type Variables = Record<(typeof VARIABLES)[number], string | number>

/**
 * The variables' values for a message. Names are filtered by nameInMessage, unknown values empty, dates dd/mm/yyyy, the birthday
 * dd/mm.
 */
export function variablesOf({ facts, unsubscribeUrl = '', feedbackUrl = '' }: About): Variables {
  const [first_name, last_name] = [nameInMessage(facts.first_name), nameInMessage(facts.last_name)]
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
    feedback_link: feedbackUrl,
  }
}

function localDate(date: string | null): string {
  return date === null ? '' : date.split('-').reverse().join('/')
}

const MAX_NAME = 80
// Control and invisible characters: zero-width characters, marks of writing direction, soft hyphens.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u115f\u1160\u3164\uffa0]+/gu
const DOTS = /[.\u2024\u3002\ufe52\uff0e\uff61]/g
// Characters of web addresses, e-mail addresses and phone numbers that no name contains.
const ADDRESS = /[@:/\\<>[\]{}|=?#%&*_~^`]|^www\b/i
const MANY_DIGITS = /(?:\p{Nd}\D{0,3}){5}/u
const INITIAL = /(?<![\p{L}\p{Nd}\p{M}])(\p{L}{1,2}[ªº]?)\.(?=\p{Lu})/gu
const INNER_DOT = /[\p{L}\p{Nd}\p{M}]\.[\p{L}\p{Nd}]/u

/**
 * A customer's name as it may appear in a message. Customers choose it, and mail programs and phones turn any
 * `evil.example` into a link, so escaping is not enough: a name that looks like an address is left out. Other names are
 * returned on one line, without invisible characters, and in title case when they are stored in capitals or in lower
 * case.
 */
export function nameInMessage(name: string | null): string {
  const line = (name ?? '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(UNSEEN, '')
    .replace(DOTS, '.')
    .trim()
  // `M.Carmen` and `J.R.` are names: a space after the dot keeps them, because no address has one.
  const spaced = line.replace(INITIAL, '$1. ').replace(/^\.+/, '')
  const wide = spaced.normalize('NFKC')
  if (spaced.length > MAX_NAME || [spaced, wide].some(isAddress)) return ''
  // With a dot at the end, the name and the template's next word could form an address.
  return shownName(spaced.replace(/(\p{L}{4,})\.+$/u, '$1'))
}

const isAddress = (text: string) => ADDRESS.test(text) || MANY_DIGITS.test(text) || INNER_DOT.test(text)
