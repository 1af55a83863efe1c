import { fold } from '@/lib/text/fold'
import { phoneDigits } from '@/lib/text/phone-digits'

/**
 * What was typed as regular expressions that JavaScript and Postgres read alike, so that the board and
 * find_reservations keep one rule. A reservation is found by all `names` in its name, by all `starts` in its name and
 * note, by the `phone`, or by `text` as its table or code.
 */
export interface PartySearch {
  text: string
  phone: string
  /** One for each word: a part of the name. */
  names: string[]
  /** One for each word: the beginning of a word of the name or the note; in scripts without blanks any part. */
  starts: string[]
}

const WORDS = 8
/** A phone is known by its last four digits. */
const DIGITS = /^\d{4,20}$/
/** A word in which one typing error is forgiven. A number has none: its neighbours are other tables and phones. */
const FORGIVEN = /^[^\d\ud800-\udfff]{5,24}$/
const FORGIVEN_WORDS = 3
const ASCII = /^[ -~]*$/
/** The beginning of a word. JavaScript's own \W has letters other than a to z among the borders, Postgres' has not. */
const BORDER = '(?:^|\\W)'
const border = (pattern: string) => pattern.replaceAll(BORDER, '(?:^|[^\\p{L}\\p{M}\\p{N}_])')

/** The search for a typed text; null when there is nothing to look for. */
export function partySearch(typed: string): PartySearch | null {
  const text = fold(typed).replace(/^(?:mesa|table) /, '')
  const words = text.split(' ').slice(0, WORDS)
  const digits = phoneDigits(text)
  return text
    ? {
        text,
        phone: DIGITS.test(digits) ? digits : '',
        names: words.map(literal),
        starts: words.map((word) => (ASCII.test(word) ? `${BORDER}${literal(word)}` : literal(word))),
      }
    : null
}

/** The same search with one typing error in each long word; null when it has none. For when nothing was found. */
export function forgivingSearch(typed: string): PartySearch | null {
  const words = fold(typed).split(' ').slice(0, WORDS)
  const forgiven = words.filter((word) => FORGIVEN.test(word)).slice(0, FORGIVEN_WORDS)
  const names = words.map((word) => (forgiven.includes(word) ? nearly(word) : literal(word)))
  return forgiven.length > 0 ? { text: '', phone: '', names, starts: [] } : null
}

/** The beginning of a word at Damerau distance 1: a letter wrong, missing or too many, or two that changed places. */
function nearly(word: string): string {
  const part = (from: number, to?: number) => literal(word.slice(from, to))
  const errors = Array.from(word, (letter, at) => {
    const swapped = part(at + 1, at + 2) + literal(letter) + part(at + 2)
    return `${part(0, at)}(?:.?${part(at + 1)}|.${part(at)}|${swapped})`
  })
  return `${BORDER}(?:${errors.join('|')})`
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

interface Findable {
  name: string | null
  phone: string | null
  table_name?: string | null
  notes: string | null
}

/** The parties that a typed text finds, with typing errors only when it finds none without. */
export function findParties<P extends Findable>(parties: readonly P[], typed: string): P[] {
  const found = [partySearch(typed), forgivingSearch(typed)].map((search) =>
    search ? parties.filter((party) => isFound(party, search)) : [],
  )
  return found.find(({ length }) => length > 0) ?? []
}

function isFound({ name, phone, table_name, notes }: Findable, search: PartySearch): boolean {
  const every = (patterns: string[], text: string) =>
    patterns.length > 0 && patterns.every((pattern) => new RegExp(border(pattern), 'su').test(text))
  const named = fold(name ?? '')
  const table = fold(table_name ?? '').replaceAll(' ', '')
  const wanted = search.text.replaceAll(' ', '')
  return (
    every(search.names, named) ||
    every(search.starts, `${named} ${fold(notes ?? '')}`) ||
    (search.phone !== '' && (phone ?? '').replace(/\D/g, '').includes(search.phone)) ||
    (wanted !== '' && [table, ...table.split('+')].includes(wanted))
  )
}
