/** The form in which the database compares text (private.normalize_text): lower case, no accents, single spaces. */
export function normalizeText(value: string): string {
  return value
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * The LIKE patterns that must all match for a search: one per word, or the digits of a phone number typed in
 * groups. LIKE's own wildcards are escaped. Empty for an empty search.
 */
export function searchPatterns(search: string): string[] {
  const text = normalizeText(search.toWellFormed().replaceAll('\0', ''))
  const isPhone = /^[+\d][\d\s()./-]{3,}$/.test(text)
  const terms = isPhone ? [text.replace(/^00/, '').replace(/\D/g, '')] : text.split(' ')
  return terms.filter(Boolean).map((term) => `%${term.replace(/[\\%_]/g, '\\$&')}%`)
}

/** A list's filters as its SQL function takes them: `search` as LIKE patterns that must all match. */
export const withPatterns = <F extends { search?: string }>({ search, ...filters }: F) => ({
  ...filters,
  ...(search === undefined ? {} : { search: searchPatterns(search) }),
})

/** A search as the value of PostgREST's `ilike(all)`, or null for an empty one. */
export function searchAll(search: string): string | null {
  const patterns = searchPatterns(search)
  if (patterns.length === 0) return null
  // A text[] literal: elements in quotes, in which backslashes and quotes are escaped once more.
  return `{${patterns.map((pattern) => `"${pattern.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`
}
