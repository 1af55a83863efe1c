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
 * The value of PostgREST's `ilike(all)` for a search, or null for an empty one: every word must occur, or the
 * digits of a phone number typed in groups. LIKE's own wildcards are escaped.
 */
export function searchAll(search: string): string | null {
  const text = normalizeText(search)
  const isPhone = /^[+\d][\d\s()./-]{3,}$/.test(text)
  const terms = (isPhone ? [text.replace(/^00/, '').replace(/\D/g, '')] : text.split(' ')).filter(Boolean)
  if (terms.length === 0) return null
  // A text[] literal: elements in quotes, in which backslashes and quotes are escaped once more.
  const elements = terms.map((term) => `%${term.replace(/[\\%_]/g, '\\$&')}%`.replace(/[\\"]/g, '\\$&'))
  return `{${elements.map((element) => `"${element}"`).join(',')}}`
}
