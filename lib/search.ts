import { canonicalEmail } from '@/lib/contact/email'
import { fold } from '@/lib/text/fold'
import { phoneDigits } from '@/lib/text/phone-digits'

/**
 * The LIKE patterns that must all match for a search: one per word, or the digits of a phone number typed in
 * groups. LIKE's own wildcards are escaped. Empty for an empty search.
 */
export function searchPatterns(search: string): string[] {
  const text = fold(search.toWellFormed().replaceAll('\0', ''))
  const phone = phoneDigits(text)
  // The middle dot of a word that is still being typed: col·legi is stored as collegi.
  const terms = phone ? [phone] : text.split(' ').map((word) => word.replace(/l·$/, 'l'))
  return terms.filter(Boolean).map((term) => `%${term.replace(/[\\%_]/g, '\\$&')}%`)
}

/** A search for guests, its e-mails in the form in which they are stored: pages show them otherwise. */
export const guestSearch = (search: string): string =>
  search.replace(/\S+@\S+/g, (word) => canonicalEmail(word) ?? word)

/** A list's filters as its SQL function takes them: `search` as LIKE patterns that must all match. */
export const withPatterns = <F extends { search?: string }>(filters: F) => searched(filters, searchPatterns)

/** The same for a list of guests. */
export const withGuestPatterns = <F extends { search?: string }>(filters: F) =>
  searched(filters, (search) => searchPatterns(guestSearch(search)))

const searched = <F extends { search?: string }>(
  { search, ...filters }: F,
  patterns: (search: string) => string[],
) => ({ ...filters, ...(search === undefined ? {} : { search: patterns(search) }) })

/** A search as the value of PostgREST's `ilike(all)`, or null for an empty one. */
export function searchAll(search: string): string | null {
  const patterns = searchPatterns(search)
  if (patterns.length === 0) return null
  // A text[] literal: elements in quotes, in which backslashes and quotes are escaped once more.
  return `{${patterns.map((pattern) => `"${pattern.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`
}
