import { parsePhoneNumberFromString as parseAny } from 'libphonenumber-js'
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { clean } from '@/lib/text/clean'
import { fold } from '@/lib/text/fold'

/** What a field for a phone contains: the number, further numbers (E.164), and the words around them. */
export interface ReadPhones {
  phone: string | null
  further: string[]
  words: string | null
}
export const NO_PHONE: ReadPhones = { phone: null, further: [], words: null }

const HOME: CountryCode = 'ES'
/** The longest text that is searched for numbers, in characters. */
const MAX_SEARCHED = 200
const MAX_DIGITS = 20
// Digits of a word with @ belong to an e-mail.
const DIGITS = /\S*@\S*|(?:\+ ?)?\(?\+?\d(?:[ .,;:()/|-]*\d)*/g
const BETWEEN = /[ .,;:()/|-]+/g
const NUMBER_SIGN = /(?<!\p{L})n\.? ?[oº°]\.? ?(?=[+(\d])/giu
const LABEL =
  /^(?:m|t|tel|telf|telef|telefonos?|phone|tf|tfn|tfno|tfo|tlf|tlfn|tlfno|tlm|mov|moviles|movil|mobile|mob|cell|celular|cel|whatsapp|wsp|fijo|num|numero|number|y|o|or|and|e|i)$/
const NO_WORD = /[\s,;:./|()[\]+_"'º°&-]+/

/**
 * Reads a field for a phone. A number without `+` belongs to `country`, unless it is none there and is one with `+` in
 * front. The first number is the phone. Labels (`Tel.`, `móvil`) are no words; an extension is, and digits beside a number.
 */
export function readPhones(text: string | null | undefined, country: CountryCode = HOME): ReadPhones {
  if ((text?.length ?? 0) > MAX_SEARCHED) return NO_PHONE
  const typed = clean(text ?? '')
    .replace(NUMBER_SIGN, ' ')
    .normalize('NFKC')
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
  const numbers = new Set<string>()
  const known: Known = new Map()
  const rest = typed.replace(DIGITS, (digits) => {
    const read = digits.includes('@') ? null : numbersIn(digits, country, known)
    for (const number of read?.numbers ?? []) numbers.add(number)
    return read ? ` ${read.rest} ` : digits
  })
  const [phone = null, ...further] = numbers
  return { phone, further, words: phone && wordsOf(rest) }
}

/** The number of a text that contains one number and at most a label, as E.164; else null. */
export function canonicalPhone(text: string | null | undefined, country: CountryCode = HOME): string | null {
  const { phone, further, words } = readPhones(text, country)
  return further.length === 0 && words === null ? phone : null
}

interface Found {
  numbers: string[]
  /** Digits that are no number. */
  rest: string
}
/** What the ends of a text were found to be: each is tried behind many beginnings. */
type Known = Map<string, Found | null>

/**
 * The numbers of a text of digits and what separates them; null when it has none. `abroad`: whether a number without `+` may
 * be of another country.
 */
function numbersIn(text: string, country: CountryCode, known: Known, abroad = true): Found | null {
  const key = `${country} ${abroad} ${text}`
  const before = known.get(key)
  if (before !== undefined) return before
  const found = findNumbers(text, country, known, abroad)
  known.set(key, found)
  return found
}

function findNumbers(text: string, country: CountryCode, known: Known, abroad: boolean): Found | null {
  const whole = valid(text, country)
  if (whole) return { numbers: [whole], rest: '' }
  for (const [first, behind] of splits(text)) {
    const number = valid(first, country)
    if (!number) continue
    const others = numbersBehind(number, behind, country, known)
    // 86 138 1234 5678 is of China, though it begins like a number of Spain.
    if (others || !abroad || !isAbroad(text)) return withNumber(number, behind, others)
  }
  const further = abroad ? numbersAbroad(text, country, known) : null
  if (further) return further
  const [, label, behind] = /^(\d{1,3}(?: (?=\d{9})|[ .,;:()/|-]{2,}))(.+)$/.exec(text) ?? []
  const found = behind ? numbersIn(behind, country, known, false) : null
  return found && { ...found, rest: `${label} ${found.rest}` }
}

function numbersAbroad(text: string, country: CountryCode, known: Known): Found | null {
  const whole = isAbroad(text) ? valid(`+${text}`) : null
  if (whole) return { numbers: [whole], rest: '' }
  // The longest: numbers of some countries are complete at several lengths.
  let longest: Found | null = null
  for (const [first, behind] of splits(text)) {
    const number = isAbroad(first) ? valid(`+${first}`) : null
    const others = number ? numbersBehind(number, behind, country, known) : null
    if (number && others) return withNumber(number, behind, others)
    if (number) longest = withNumber(number, behind, null)
  }
  return longest
}

/** Numbers behind another one: of the home country, else of that one's. */
function numbersBehind(number: string, behind: string, country: CountryCode, known: Known): Found | null {
  const theirs = parseAny(number)?.country ?? country
  return numbersIn(behind, country, known) ?? (theirs === country ? null : numbersIn(behind, theirs, known))
}

const withNumber = (number: string, behind: string, others: Found | null): Found => ({
  numbers: [number, ...(others?.numbers ?? [])],
  rest: others ? others.rest : behind,
})

const splits = (text: string): [first: string, behind: string][] =>
  [...text.matchAll(BETWEEN)].flatMap(({ index, 0: between }) =>
    index > 0 ? [[text.slice(0, index), text.slice(index + between.length)] as [string, string]] : [],
  )

/** Whether a text without `+` is one number with its code, which stands apart: 600 111 22 33 44 is none of Malaysia (60). */
function isAbroad(text: string): boolean {
  const [first = '', behind] = text.replace(/^\(/, '').split(/[ .()/-]+/)
  const number = text.includes('+') ? null : valid(`+${text}`)
  return number !== null && (behind === undefined || parseAny(number)?.countryCallingCode === first)
}

/** With `+`, what has the form of a number; without, what is assigned in the country. The zero of `+34 (0)600…` is left out. */
function valid(text: string, country?: CountryCode): string | null {
  for (const typed of [text, text.replace(/\( ?0 ?\)/, '')]) {
    const digits = typed.replace(/[^\d+]/g, '').replace(/^\++/, '+')
    if (digits.length > MAX_DIGITS) continue
    const parsed = digits.startsWith('+') ? parseAny(digits) : parsePhoneNumberFromString(digits, country)
    if (parsed?.isValid()) return parsed.number
  }
  return null
}

function wordsOf(rest: string): string | null {
  const isSaid = rest.split(NO_WORD).some((word) => word !== '' && !LABEL.test(fold(word)))
  return isSaid ? rest.replace(/[\s()]+/g, ' ').replace(/^[ ,;:/|.+-]+|[ ,;:/|-]+$/g, '') : null
}
