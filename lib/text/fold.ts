const LETTERS: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ς: 'σ',
  '⁄': '/',
}
const OTHER_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')
// Accents, soft hyphens, joiners, marks of direction and the like.
const UNSEEN = /[\u0300-\u036f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/**
 * The form in which texts are compared and searched, the same as private.fold in SQL: lower case, no accents, Latin
 * letters in ASCII (ø, ß, l·l), plain quotes and dashes, single spaces, nothing invisible.
 */
export function fold(text: string): string {
  return (
    text
      // Apart, ´ is a blank with an accent.
      .replaceAll('´', "'")
      .normalize('NFKD')
      .toLowerCase()
      .replace(UNSEEN, '')
      .normalize('NFC')
      .replace(OTHER_LETTERS, (letter) => LETTERS[letter] ?? letter)
      .replace(/l·(?=l)/g, 'l')
      .replace(/[‘’‛ʼ]/g, "'")
      .replace(/[“”„‟«»]/g, '"')
      .replace(/[‐‑‒–—―−]/g, '-')
      .replace(/[\t-\r \u115f\u1160\u1680\u2028\u2029\u2800]+/g, ' ')
      .replace(/^ | $/g, '')
  )
}
