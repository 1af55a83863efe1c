/** A number as a person of that language types it, without grouping. */
export function showNumber(value: number, locale: string): string {
  return locale === 'es' ? String(value).replace('.', ',') : String(value)
}

/** The number in a text, with a decimal comma or point; null when it is none, or negative. */
export function parseNumber(text: string): number | null {
  const plain = text.trim().replace(',', '.')
  return /^\d{1,10}(\.\d{1,2})?$/.test(plain) ? Number(plain) : null
}
