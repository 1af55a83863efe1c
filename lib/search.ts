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
 * LIKE patterns that must all match for a search: one a word, or one for a phone number typed in groups.
 * LIKE's own wildcards are escaped.
 */
export function searchPatterns(search: string): string[] {
  const text = normalizeText(search)
  const isPhone = /^[+\d][\d\s()./-]{3,}$/.test(text)
  const terms = isPhone ? [text.replace(/^00/, '').replace(/\D/g, '')] : text.split(' ')
  return terms.filter((term) => term !== '').map((term) => `%${term.replace(/[\\%_]/g, '\\$&')}%`)
}
