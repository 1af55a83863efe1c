const MAX_NAME = 80
// Controls, and what is not seen: zero-width characters, marks of writing direction, soft hyphens.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u115f\u1160\u3164\uffa0]+/gu
const DOTS = /[.\u2024\u3002\ufe52\uff0e\uff61]/g
// Of an address on the web, in a mailbox or on a telephone; no name has them.
const ADDRESS = /[@:/\\<>[\]{}|=?#%&*_~^`]|^www\b/i
const MANY_DIGITS = /(?:\p{Nd}\D{0,3}){5}/u
const INITIAL = /(?<![\p{L}\p{Nd}\p{M}])(\p{L}{1,2}[ªº]?)\.(?=\p{Lu})/gu
const INNER_DOT = /[\p{L}\p{Nd}\p{M}]\.[\p{L}\p{Nd}]/u

/**
 * A guest's name as it may stand in a message. Guests choose it, and mail programs and telephones make a link of
 * `evil.example` wherever it stands, so escaping is not enough: what could be read as an address is left out, as if
 * there were no name. The rest comes in one line, without characters that are not seen.
 */
export function guestName(name: string | null): string {
  const line = (name ?? '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(UNSEEN, '')
    .replace(DOTS, '.')
    .trim()
  // `M.Carmen` and `J.R.` are people: a space after the dot keeps them, and no address has one.
  const spaced = line.replace(INITIAL, '$1. ').replace(/^\.+/, '')
  const wide = spaced.normalize('NFKC')
  if (spaced.length > MAX_NAME || [spaced, wide].some(isAddress)) return ''
  // A dot at the end would meet the template's next word.
  return spaced.replace(/(\p{L}{4,})\.+$/u, '$1')
}

const isAddress = (text: string) => ADDRESS.test(text) || MANY_DIGITS.test(text) || INNER_DOT.test(text)
