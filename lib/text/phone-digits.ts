const PHONE = /^(?:(?:tel|telefono|tf|tfno|tlf|mov|movil|phone|mobile)\b[.:]* ?)?([(+\d][\d ()./+-]{3,})$/

/**
 * The digits of a folded text that is a phone number, as far as it was typed, as they are stored: without trunk zeros.
 * Blank for another text.
 */
export function phoneDigits(text: string): string {
  const digits = (PHONE.exec(text)?.[1] ?? '').replace(/\( ?0 ?\)/, '').replace(/\D/g, '')
  // The last digits of a number may begin with zeros of its own.
  return digits.replace(/^0{1,2}(?=\d{6})/, '')
}
