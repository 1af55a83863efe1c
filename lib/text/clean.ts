const BLANKS = /[\u00a0\u115f\u1160\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0]/g
const UNSEEN = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

// What a joiner joins: parts of an emoji, and letters of scripts that are written with joiners, such as Persian.
const JOINED = String.raw`(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{fe0f}\u{e0020}-\u{e007f}]|(?![\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Han}\p{scx=Hangul}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hebrew}])[\p{L}\p{M}])`
const USELESS_JOINERS = new RegExp(`(?<!${JOINED})[\\u200c\\u200d]+|[\\u200c\\u200d]+(?!${JOINED})`, 'gu')

// Most texts: nothing to replace in them.
const PLAIN = /^[\x20-\x7e]*$/

/**
 * A text as it is stored, for every way into the database: in Unicode's composed form (NFC), with plain spaces in place of
 * other blanks, and without spaces around it. Invisible characters are removed: soft hyphens, zero-width spaces, marks of
 * direction, joiners that join nothing. Line breaks inside stay. `clean(clean(text))` is `clean(text)`.
 */
export function clean(text: string): string {
  if (PLAIN.test(text)) return text.trim()
  // Marks meet their letter once what stood between is gone.
  return composed(text.replace(BLANKS, ' ').replace(UNSEEN, '').replace(USELESS_JOINERS, '')).trim()
}

// No letter has so many marks, and to compose them takes time that grows with the square of their number.
const composed = (text: string) => text.replace(/(\p{M}{30})\p{M}+/gu, '$1').normalize('NFC')
