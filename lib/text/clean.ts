// A joiner stays between the parts of an emoji, and in words of the scripts whose letters it joins or parts.
const JOINING = [
  'Arab',
  'Beng',
  'Deva',
  'Gujr',
  'Guru',
  'Khmr',
  'Knda',
  'Mlym',
  'Mong',
  'Mymr',
  'Nkoo',
  'Orya',
  'Sinh',
  'Syrc',
  'Taml',
  'Telu',
].map((script) => `\\p{scx=${script}}`)
const LETTER = `(?:(?=[${JOINING.join('')}])[\\p{L}\\p{M}])`
const EMOJI = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]'
const JOINS_NOTHING = new RegExp(
  `(?<!${LETTER})\\u200c|\\u200c(?!${LETTER})|` +
    `(?<!${LETTER}|${EMOJI}(?=\\u200d\\p{Extended_Pictographic}))\\u200d`,
  'gu',
)
const UNSEEN = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
const ODD_BLANKS = /[\u00a0\u115f\u1160\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000\u3164\uffa0]/g

/**
 * A text as it comes in through any door: composed (NFC), without what nobody sees, every odd blank a space, trimmed.
 * Line breaks and the joiners of emoji and of scripts that need them stay.
 */
export function clean(text: string): string {
  return text.normalize('NFC').replace(UNSEEN, '').replace(JOINS_NOTHING, '').replace(ODD_BLANKS, ' ').trim()
}
