/** Formats a number as people type it in that language, without grouping. */
export function showNumber(value: number, locale: string): string {
  return locale === 'es' ? String(value).replace('.', ',') : String(value)
}

/** The number in a text, with a decimal comma or point and two decimals at most; null for any other text. */
export function parseNumber(text: string): number | null {
  const plain = text.trim().replace(',', '.')
  return /^\d{1,10}(\.\d{1,2})?$/.test(plain) ? Number(plain) : null
}
