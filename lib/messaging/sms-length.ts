// What one GSM-7 septet holds, and what takes two. No á, í, ó, ú: one of them makes the whole SMS Unicode.
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿' +
  'abcdefghijklmnopqrstuvwxyzäöñüà'
const EXTENDED = '^{}\\[~]|€\f'

/** How long a text is as an SMS. `foreign` are the characters that make it Unicode, each once. */
export interface SmsLength {
  characters: number
  segments: number
  foreign: string[]
}

/** Counts as operators bill: 160 characters, or 153 of each part; in Unicode 70, or 67. */
export function smsLength(text: string): SmsLength {
  const letters = [...text]
  const foreign = [
    ...new Set(letters.filter((letter) => !BASIC.includes(letter) && !EXTENDED.includes(letter))),
  ]
  if (foreign.length > 0) return { characters: letters.length, segments: parts(text.length, 70, 67), foreign }
  const septets = letters.length + letters.filter((letter) => EXTENDED.includes(letter)).length
  return { characters: letters.length, segments: parts(septets, 160, 153), foreign }
}

/**
 * Segments of a whole audience, and their price in EUR (null without a price for one). An estimate: names make the texts
 * of some guests longer than the sample.
 */
export function smsEstimate(
  { segments }: Pick<SmsLength, 'segments'>,
  guests: number,
  price: number | null,
): { segments: number; cost: number | null } {
  const total = segments * guests
  return { segments: total, cost: price === null ? null : Math.round(total * price * 100) / 100 }
}

function parts(length: number, single: number, part: number): number {
  if (length === 0) return 0
  return length <= single ? 1 : Math.ceil(length / part)
}
